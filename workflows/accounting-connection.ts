import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import type { AccountingConnectionInput } from '../contract/accounting.js';

const { disconnectAccounting, readChart } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);

/** Reads the chart of the connected organisation, or ends the connection, while a person waits. */
export async function accountingConnection(input: AccountingConnectionInput): Promise<void> {
  const { workspaceId } = input;
  if (input.action === 'read_chart') await readChart(workspaceId);
  else await disconnectAccounting({ workspaceId, actor: input.actor });
}
