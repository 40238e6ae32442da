/** The floor's worker, with its own process and task queue. Configured as in worker/main.ts. */
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { FLOOR_TASK_QUEUE, floorServer } from './floor.js';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const { connection, namespace } = floorServer();
const worker = await Worker.create({
  connection: await NativeConnection.connect({ ...connection, grpcCompression: { codec: 'none' } }),
  namespace,
  taskQueue: FLOOR_TASK_QUEUE,
  workflowBundle: { codePath: process.env.BENCH_BUNDLE! },
  maxCachedWorkflows: 100,
  maxConcurrentWorkflowTaskExecutions: 40,
});
process.on('disconnect', () => process.exit(0));
process.send!({ ready: true });
await worker.run();
process.exit(0);
