import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { LaunchProblem } from './problem.js';

/** A port that is wanted, and the variable a person changes to move it. 0 = any free one. */
export interface WantedPort {
  variable: string;
  port: number;
  host?: string;
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
  for (const { variable, port, host = '127.0.0.1' } of wanted) {
    if (port === 0) {
      const free = await anyFreePort(host, taken);
      taken.add(free);
      chosen.push(free);
    } else {
      await insistOn(variable, port, host);
      chosen.push(port);
    }
  }
  return chosen;
}

/**
 * Picks below the range from which systems give ports to outgoing connections: a port of ours must still be
 * free when its process is started again in the middle of a busy run.
 */
async function anyFreePort(host: string, taken: Set<number>): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(15_000, 30_000);
    if (!taken.has(port) && (await listenError(port, host)) === undefined) return port;
  }
  throw new LaunchProblem('No free port was found: stop some programs that listen on this machine.');
}

async function insistOn(variable: string, port: number, host: string): Promise<void> {
  const error = await listenError(port, host);
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

function listenError(port: number, host: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
