/**
 * The floor's client, in its own process like the API. It generates its own load, without HTTP, because the
 * floor is the cost of Temporal alone.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { FLOOR_TASK_QUEUE, floorServer } from './floor.js';
import { touch, type floor } from './floor-workflow.js';
import { drive, type Load } from './measure.js';

const { connection, namespace } = floorServer();
const client = new Client({ connection: await Connection.connect(connection), namespace });

async function touchOne(): Promise<void> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof floor>('floor', {
    taskQueue: FLOOR_TASK_QUEUE,
    workflowId: `floor-${randomUUID()}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [],
  });
  await client.workflow.executeUpdateWithStart(touch, { startWorkflowOperation, updateId: 'touch' });
}

process.on('message', (load: Load) => {
  void drive(load, touchOne).then((run) => process.send!({ run }));
});
process.on('disconnect', () => process.exit(0));
process.send!({ ready: true });
