import { NativeConnection, Worker } from '@temporalio/worker';
import '../support/quiet-runtime.js';
import { dev } from '../support/stack.js';
import { BUNDLE_PATH } from '../../worker/bundle.js';

export type Stubs = Record<string, (input: never) => Promise<unknown>>;

/** Runs `work` while a worker executes workflows of a task queue with these activities. */
export async function withWorker<T>(
  taskQueue: string,
  activities: Stubs,
  work: () => Promise<T>,
): Promise<T> {
  const connection = await NativeConnection.connect({ address: dev.temporalAddress });
  const { temporalNamespace: namespace } = dev;
  const codePath = BUNDLE_PATH;
  const options = { connection, namespace, taskQueue, workflowBundle: { codePath }, activities };
  const worker = await Worker.create(options);
  try {
    return await worker.runUntil(work);
  } finally {
    await connection.close();
  }
}
