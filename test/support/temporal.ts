import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { dev } from './stack.js';
import { until } from './until.js';

/**
 * Client of the stack's Temporal server. A separate module, because it is slow to load and few tests need it.
 */
export const temporal = new Client({
  connection: Connection.lazy({ address: dev.temporalAddress }),
  namespace: dev.temporalNamespace,
});

/**
 * Registers a namespace on the stack's server, with no runs and without our search
 * attributes. Returns its name.
 */
export async function newNamespace(): Promise<string> {
  const namespace = `test-${randomUUID().slice(0, 8)}`;
  const connection = await temporal.connection;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  await until(async () => {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query: '' });
      return true;
    } catch {
      return false;
    }
  });
  return namespace;
}
