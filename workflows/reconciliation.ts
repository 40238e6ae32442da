import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type {
  NightlyReconciliationInput,
  NightlyReconciliationSummary,
  ReconciliationInput,
} from './contract.js';

const { beginNightlyReconciliation, compileReport, listBookedPages, listReconcilable } =
  proxyActivities<Activities>(TRANSACTION);
const { readCharges } = proxyActivities<Activities>(OUTSIDE_CALL);
const { readBooks, readCreditNotes } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 5 },
});

/**
 * Sets processor, ledger and books side by side: reads what the processor and the books have, then compares. Books
 * that can't be read are compared as they were last known, and the report says so. Returns the id of what holds the report.
 */
export async function reconciliation(input: ReconciliationInput): Promise<string> {
  const { reconciliationId: id, workspaceId, tellOwner } = input;
  const attention = new Attention();
  attention.waitFor('Reading the charges of the connected account.');
  let processorRead = true;
  try {
    let after: string | null = null;
    do after = await readCharges({ id, after });
    while (after !== null);
  } catch {
    processorRead = false;
  }
  attention.waitFor('Reading the invoices back from the books.');
  let booksRead = true;
  try {
    for (const invoiceIds of await listBookedPages(id)) {
      await readBooks({ workspaceId, invoiceIds });
      let read: string | null = null;
      do read = await readCreditNotes({ workspaceId, invoiceIds, after: read });
      while (read);
    }
  } catch {
    booksRead = false;
    attention.waitFor('The books cannot be read: comparing with what was last known of them.');
  }
  const differences = await compileReport({ id, processorRead, booksRead, tellOwner });
  if (differences > 0) attention.raise('the comparison', `${differences} differences: see ${id}`);
  return id;
}

/** The nightly comparison of every workspace (decisions.md): one with differences raises attention, and its owner gets mail. */
export async function nightlyReconciliation({
  workspaceId,
}: NightlyReconciliationInput = {}): Promise<NightlyReconciliationSummary> {
  const attention = new Attention();
  const summary: NightlyReconciliationSummary = { workspaces: 0, failed: 0 };
  for (const current of await listReconcilable({ workspaceId })) {
    attention.waitFor(`Comparing the money of ${current}; ${summary.workspaces} workspaces done.`);
    try {
      const reconciliationId = await beginNightlyReconciliation(current);
      await executeChild(reconciliation, {
        workflowId: `nightly-${reconciliationId}`,
        args: [{ reconciliationId, workspaceId: current, tellOwner: true }],
        staticSummary: 'Compares processor, ledger and books',
      });
    } catch {
      summary.failed++;
    }
    summary.workspaces++;
  }
  return summary;
}
