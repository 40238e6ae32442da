import { isAccountingUpdatePending } from '../../../db/queries/accounting/pending-update.js';
import { invoiceChanged } from '../../../contract/accounting.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';

const WAIT_MS = 8_000;

/**
 * Applies an invoice's pending updates to the accounting system before the response is sent
 * (docs/rules/accounting.md#voids). If that takes longer, the invoice's run continues:
 * pending updates are stored.
 */
export async function syncInvoiceInline(
  { db, temporal, taskQueue, log }: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'log'>,
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
    log.info({ err: error, invoice: invoice_id }, 'accounting update continues in the background');
  }
}
