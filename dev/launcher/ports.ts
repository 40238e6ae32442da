import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { readJson, type Home } from './home.js';
import { LaunchProblem } from './problem.js';
import type { LauncherSettings, PortName } from './settings.js';

const HOST = '127.0.0.1';

/**
 * The ports of a stack: by variable, and the public and internal ports of all API processes, including the
 * first.
 */
export interface Ports {
  named: Record<PortName, number>;
  api: number[];
  internal: number[];
}

/** A requested port and the variable that sets it. 0 requests any free port. */
export interface WantedPort {
  variable: string;
  port: number;
  /** With 0: the port to prefer if it is free. */
  before?: number;
}

/**
 * Chooses the ports. Further API processes use PORT + 1, INTERNAL_PORT + 1 and so on. With port 0 the ports
 * of the previous start are preferred, so that its checkout pages and links still work.
 */
export async function choosePorts(
  settings: LauncherSettings,
  home: Home,
  options: { fresh: boolean },
): Promise<Ports> {
  const last = options.fresh ? undefined : readJson<Ports>(home.ports);
  const names = Object.keys(settings.ports) as PortName[];
  const wanted: WantedPort[] = names.map((variable) => ({
    variable,
    port: settings.ports[variable],
    before: last?.named[variable],
  }));
  const further = (variable: PortName, before: number[] | undefined): WantedPort[] =>
    Array.from({ length: settings.apiProcesses - 1 }, (_, i) => ({
      variable,
      port: settings.ports[variable] && settings.ports[variable] + i + 1,
      before: before?.[i + 1],
    }));
  wanted.push(...further('PORT', last?.api), ...further('INTERNAL_PORT', last?.internal));
  const chosen = await reservePorts(wanted);
  const named = Object.fromEntries(names.map((name, i) => [name, chosen[i]])) as Record<PortName, number>;
  const others = settings.apiProcesses - 1;
  const api = chosen.slice(names.length, names.length + others);
  const internal = chosen.slice(names.length + others);
  return { named, api: [named.PORT, ...api], internal: [named.INTERNAL_PORT, ...internal] };
}

/** Returns the ports to use, in the order requested. Throws `LaunchProblem` if a fixed port is in use. */
export async function reservePorts(wanted: WantedPort[]): Promise<number[]> {
  const taken = new Set<number>();
  for (const { variable, port } of wanted) {
    if (port === 0) continue;
    if (taken.has(port)) {
      throw new LaunchProblem(
        `Port ${port} is set twice: set ${variable} to another one (0 = any free port).`,
      );
    }
    taken.add(port);
  }
  const chosen: number[] = [];
  for (const { variable, port, before } of wanted) {
    if (port === 0) {
      const free = before && (await isFree(before, taken)) ? before : await anyFreePort(taken);
      taken.add(free);
      chosen.push(free);
    } else {
      await requireFree(variable, port);
      chosen.push(port);
    }
  }
  return chosen;
}

/**
 * Picks below the ephemeral range: the port must still be free when its process is restarted.
 */
async function anyFreePort(taken: Set<number>): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(15_000, 30_000);
    if (await isFree(port, taken)) return port;
  }
  throw new LaunchProblem('No free port was found: stop some programs that listen on this machine.');
}

async function requireFree(variable: string, port: number): Promise<void> {
  const error = await listenError(port);
  if (error === undefined) return;
  if (error.code === 'EADDRINUSE') {
    throw new LaunchProblem(
      `Port ${port} is in use by another program: stop that program, or choose another port with ` +
        `${variable}=… (0 = any free one).`,
    );
  }
  throw new LaunchProblem(
    `Port ${port} cannot be opened (${error.code}): choose another with ${variable}=… (0 = any free one).`,
  );
}

const isFree = async (port: number, taken: Set<number>): Promise<boolean> =>
  !taken.has(port) && (await listenError(port)) === undefined;

function listenError(port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
