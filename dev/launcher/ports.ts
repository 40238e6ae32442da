import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { readJson, type Home } from './home.js';
import { LaunchProblem } from './problem.js';
import type { LauncherSettings, PortName } from './settings.js';

const HOST = '127.0.0.1';

/** The ports of a stack: by variable, and those of all API processes, the first too. */
export interface Ports {
  named: Record<PortName, number>;
  api: number[];
}

/** A port that is wanted, and the variable a person changes to move it. 0 = any free one. */
export interface WantedPort {
  variable: string;
  port: number;
  /** For 0: the one to take again if it is free. */
  before?: number;
}

/**
 * Ports in the order of their names; each further API process has the next one after PORT. Where any will do, a home
 * keeps those of its last start: the checkout pages and links that were handed out then still lead somewhere.
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
  const first = settings.ports.PORT;
  for (let n = 1; n < settings.apiProcesses; n++) {
    wanted.push({ variable: 'PORT', port: first && first + n, before: last?.api[n] });
  }
  const chosen = await reservePorts(wanted);
  const named = Object.fromEntries(names.map((name, i) => [name, chosen[i]])) as Record<PortName, number>;
  return { named, api: [named.PORT, ...chosen.slice(names.length)] };
}

/** Returns the ports to use, in the order asked for; a fixed one that is taken is a problem named by its variable. */
export async function reservePorts(wanted: WantedPort[]): Promise<number[]> {
  const taken = new Set<number>();
  for (const { variable, port } of wanted) {
    if (port === 0) continue;
    if (taken.has(port)) {
      throw new LaunchProblem(
        `Port ${port} is wanted twice: give ${variable} another one (0 = any free port).`,
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
      await insistOn(variable, port);
      chosen.push(port);
    }
  }
  return chosen;
}

/**
 * Picks below the range from which systems give ports to outgoing connections: a port of ours must still be
 * free when its process is started again in the middle of a busy run.
 */
async function anyFreePort(taken: Set<number>): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(15_000, 30_000);
    if (await isFree(port, taken)) return port;
  }
  throw new LaunchProblem('No free port was found: stop some programs that listen on this machine.');
}

async function insistOn(variable: string, port: number): Promise<void> {
  const error = await listenError(port);
  if (error === undefined) return;
  if (error.code === 'EADDRINUSE') {
    throw new LaunchProblem(
      `Port ${port} is in use by another program: stop that program, or choose another port with ${variable}=… (0 = any free one).`,
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
