import { Client, Connection } from '@temporalio/client';
import type { DevJson } from '../../dev/launcher/stack.js';
import { SCHEDULES } from '../../contract/jobs.js';

/**
 * Pauses the Schedules of a stack, so that its jobs run only when a test starts them. At a full hour a job
 * for all workspaces would invoice months that a test reserves for itself.
 */
export async function pauseSchedules({ temporalAddress, temporalNamespace }: DevJson): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress });
  const { schedule } = new Client({ connection, namespace: temporalNamespace });
  await Promise.all(Object.values(SCHEDULES).map((id) => schedule.getHandle(id).pause('during the tests')));
  await connection.close();
}
