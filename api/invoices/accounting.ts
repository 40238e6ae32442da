import { isAccountingUpdatePending } from '../../db/repositories/accounting/pending-update-queries.js';
import { invoiceChanged, WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';

const WAIT_MS = 8_000;

/**
 * Brings the accounting system up to date before the response is sent (docs/rules/accounting.md#voids). If that takes
 * longer, the invoice's run continues after the response: the pending update is stored.
 */
export async function syncInvoiceInline(
  { db, temporal, taskQueue, log }: ApiDependencies,
  invoice: { id: string; workspace_id: string },
): Promise<void> {
  const { id: invoice_id, workspace_id } = invoice;
  if (!(await isAccountingUpdatePending(db.manager, invoice_id))) return;
  try {
    await temporal.withDeadline(Date.now() + WAIT_MS, async () => {
      const run = await temporal.workflow.signalWithStart(WORKFLOWS.invoiceAccounting, {
        ...starts(taskQueue).invoiceAccounting(invoice_id, workspace_id),
        signal: invoiceChanged,
        signalArgs: [],
      });
      await run.result();
    });
  } catch (error) {
    log.info({ err: error, invoice: invoice_id }, 'the accounting system is updated later');
  }
}
