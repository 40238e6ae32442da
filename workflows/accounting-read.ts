import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import type { AccountingReadInput } from '../contract/accounting.js';
import { proxyTransactions } from './in-task.js';

const { listConnectedWorkspaces, listSyncedInvoices } = proxyTransactions(JOB_PAGE);
const { readAccountingInvoices } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 10 },
});

/**
 * Reads all synced invoices back from the accounting system, a hundred per call, and stores their state. Run
 * it before references are repaired (docs/rules/accounting.md#references). Returns the number of invoices
 * read. A workspace that cannot be read keeps its stored state, and is listed.
 */
export async function accountingRead({ workspaceId, resume }: AccountingReadInput): Promise<number> {
  const attention = new Attention();
  let { read = 0, after = '' } = resume ?? {};
  for (;;) {
    const page = await listConnectedWorkspaces({ workspaceId, after });
    if (page.length === 0) return read;
    for (const current of page) {
      await readWorkspace(current).catch(() =>
        attention.raise(`reading ${current}`, 'failed: its invoices are compared as they were last read.'),
      );
      after = current;
      if (!workflowInfo().continueAsNewSuggested) continue;
      await attention.continueAsNew<typeof accountingRead>({ workspaceId, resume: { after, read } });
    }
  }

  async function readWorkspace(current: string): Promise<void> {
    for (let last = ''; ;) {
      const invoiceIds = await listSyncedInvoices({ workspaceId: current, after: last });
      if (invoiceIds.length === 0) return;
      attention.showStatus(`Reading the invoices of ${current}: ${read} read.`);
      await readAccountingInvoices({ workspaceId: current, invoiceIds });
      read += invoiceIds.length;
      last = invoiceIds.at(-1)!;
    }
  }
}
