import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DevJson } from '../../dev/launcher/stack.js';
import { readTemporalConnection } from '../../config/temporal-connection.js';
import type { Load, Run } from './measure.js';

export const FLOOR_TASK_QUEUE = 'bench-floor';

const localPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The connection to the measured server: the launcher's own, or the one in the environment. */
export function benchConnection(address: string) {
  if (!process.env.TEMPORAL_ADDRESS) return { address };
  const { options, apiKey } = readTemporalConnection(process.env);
  return { ...options, apiKey: apiKey?.() };
}

/** The server for the floor's processes. */
export function floorServer() {
  return {
    connection: benchConnection(process.env.BENCH_ADDRESS!),
    namespace: process.env.BENCH_NAMESPACE!,
  };
}

/** The floor: update-with-start of an empty workflow, by two additional processes on the same server. */
export interface Floor {
  pids: { 'floor client': number; 'floor worker': number };
  drive(load: Load): Promise<Run>;
  stop(): void;
}

/** Starts the floor's worker and client. They end with the process that started them. */
export async function startFloor(dev: DevJson): Promise<Floor> {
  // Only here: bundling workflows leaves code in memory, and the client needs no worker.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: localPath('./floor-workflow.js'),
    logger: new DefaultLogger('ERROR'),
  });
  const BENCH_BUNDLE = localPath('./floor-bundle.cjs');
  writeFileSync(BENCH_BUNDLE, code);
  const env = {
    ...process.env,
    BENCH_BUNDLE,
    BENCH_ADDRESS: dev.temporalAddress,
    BENCH_NAMESPACE: dev.temporalNamespace,
  };
  const [worker, client] = await Promise.all([
    startChild('./floor-worker.js', env),
    startChild('./floor-client.js', env),
  ]);
  return {
    pids: { 'floor client': client.pid!, 'floor worker': worker.pid! },
    async drive(load) {
      client.send(load);
      return (await reply<{ run: Run }>(client)).run;
    },
    stop() {
      for (const child of [client, worker]) if (child.connected) child.disconnect();
    },
  };
}

async function startChild(script: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = fork(localPath(script), { env, execArgv: [] });
  await reply<{ ready: true }>(child);
  return child;
}

/** The next message from a child process. Throws if it exits instead. */
async function reply<T>(child: ChildProcess): Promise<T> {
  const received = new AbortController();
  const options = { signal: received.signal };
  try {
    return await Promise.race([
      once(child, 'message', options).then(([message]) => message as T),
      once(child, 'exit', options).then(([code]) => {
        throw new Error(`A process of the floor ended with exit code ${code}.`);
      }),
    ]);
  } finally {
    received.abort();
  }
}
