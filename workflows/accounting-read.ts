import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { AccountingReadInput } from './contract.js';

const { listConnectedWorkspaces, listSyncedInvoices } = proxyActivities<Activities>(TRANSACTION);
const { readAccountingInvoices } = proxyActivities<Activities>(ACCOUNTING_CALL);

/**
 * Reads all synced invoices back from the accounting system, a hundred per call, and stores their state. Run before
 * references are repaired (docs/rules/accounting.md#references). Returns the number of invoices read.
 */
export async function accountingRead({ workspaceId }: AccountingReadInput): Promise<number> {
  const attention = new Attention();
  let read = 0;
  for (const current of await listConnectedWorkspaces({ workspaceId })) {
    for (let after = ''; ;) {
      const invoiceIds = await listSyncedInvoices({ workspaceId: current, after });
      if (invoiceIds.length === 0) break;
      attention.showStatus(`Reading the invoices of ${current}: ${read} read.`);
      await readAccountingInvoices({ workspaceId: current, invoiceIds });
      read += invoiceIds.length;
      after = invoiceIds.at(-1)!;
    }
  }
  return read;
}
