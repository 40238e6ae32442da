import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from './ports.js';
import { REQUIRED_SETTINGS } from './settings.js';
import { internal } from './api-client.js';
import { dev } from './stack.js';

export interface OwnService {
  baseUrl: string;
  taskQueue: string;
  /** Calls `POST /internal/actions`. */
  internal: typeof internal;
  /** Metrics ports of the API, the worker, and the SDK in the worker. */
  metrics: { api: number; worker: number; sdk: number };
  /** The worker that was started first. */
  worker: Child;
  /**
   * Starts another worker, from another build if its folder is given. If it does not start, throws its
   * output.
   */
  startWorker(build?: string, settings?: Record<string, string>): Promise<Child>;
  /** The output of all processes. */
  logs(): string;
  stop(): Promise<void>;
}

/** A process of the service. */
export interface Child {
  stop(): Promise<void>;
}

/** Settings of a service that uses the stack's accounting simulator. */
export const ACCOUNTING_SETTINGS = {
  XERO_CLIENT_ID: 'holdfast',
  XERO_CLIENT_SECRET: 'holdfast-simulator',
  // The simulator's tokens contain the address at which `npm test` has put a proxy.
  XERO_ISSUER: process.env.XERO_ISSUER || dev.accountingUrl!,
  XERO_API_URL: process.env.XERO_API_URL || dev.accountingUrl!,
  ACCOUNTING_SIMULATOR_URL: dev.accountingUrl!,
};

const BUILD = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Starts separate API and worker processes on a scratch database, with their own task queue, on the stack's
 * Temporal and simulators. Chooses other ports if one is taken before its process listens.
 */
export async function startOwnService(
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<OwnService> {
  for (;;) {
    const children: ChildProcess[] = [];
    try {
      return await startOn(await freePorts(5), children, databaseUrl, settings);
    } catch (error) {
      await Promise.all(children.map(stop));
      if (!/EADDRINUSE|Address already in use/.test(String(error))) throw error;
    }
  }
}

async function startOn(
  ports: number[],
  children: ChildProcess[],
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<OwnService> {
  const [port, actions, api, worker, sdk] = ports;
  const baseUrl = `http://127.0.0.1:${port}`;
  const internalUrl = `http://127.0.0.1:${actions}`;
  const internalToken = randomBytes(16).toString('hex');
  const taskQueue = settings.TEMPORAL_TASK_QUEUE ?? `own-${randomBytes(8).toString('hex')}`;
  let logs = '';
  const start = async (entry: string, own: Record<string, string>, build = BUILD): Promise<Child> => {
    const child = fork(join(build, entry, 'main.js'), {
      silent: true,
      env: {
        ...process.env,
        ...REQUIRED_SETTINGS,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: dev.temporalAddress,
        TEMPORAL_NAMESPACE: dev.temporalNamespace,
        TEMPORAL_TASK_QUEUE: taskQueue,
        STRIPE_API_URL: dev.processorUrl!,
        STRIPE_SECRET_KEY: 'sk_test_holdfast',
        INTERNAL_TOKEN: internalToken,
        PUBLIC_URL: baseUrl,
        ALLOW_HTTP: 'true',
        HOST: '127.0.0.1',
        PORT: String(port),
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'debug',
        ...settings,
        ...own,
      },
    });
    children.push(child);
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (logs += chunk.toString()));
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${entry} ended with exit code ${code}: ${logs}`);
    });
    ended.catch(() => undefined);
    await Promise.race([once(child, 'message'), ended]);
    return { stop: () => stop(child) };
  };
  const [, firstWorker] = await Promise.all([
    start('api', { INTERNAL_PORT: String(actions), METRICS_PORT: String(api) }),
    start('worker', { METRICS_PORT: String(worker), METRICS_SDK_PORT: String(sdk) }),
  ]);
  return {
    baseUrl,
    taskQueue,
    internal: (action, input) => internal(action, input, { internalUrl, internalToken }),
    metrics: { api: api!, worker: worker!, sdk: sdk! },
    logs: () => logs,
    worker: firstWorker,
    startWorker: (build, settings = {}) => start('worker', settings, build),
    async stop() {
      await Promise.all(children.map(stop));
    },
  };
}

/** Stops a process as a deployment does. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
