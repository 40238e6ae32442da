import { isAccountingUpdatePending } from '../../db/repositories/accounting/documents.js';
import { invoiceAccountingOptions } from '../../workflows/booking-start.js';
import { invoiceChanged, WORKFLOWS } from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';

const WAIT_MS = 8_000;

/**
 * Voids in the accounting system too, before the client is answered (spec.md, "States and transitions"). Where that
 * takes longer, the invoice's run goes on with it: what is owed to the books is stored.
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
        ...invoiceAccountingOptions({ invoice_id, workspace_id }, taskQueue),
        signal: invoiceChanged,
        signalArgs: [],
      });
      await run.result();
    });
  } catch (error) {
    log.info({ err: error, invoice: invoice_id }, 'the books follow later');
  }
}
