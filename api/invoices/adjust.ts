import { newId } from '../../db/ids.js';
import { bindKey } from '../../db/repositories/access/idempotency.js';
import { type AdjustmentRow, findAdjustment } from '../../db/repositories/billing/adjustment-queries.js';
import { adjustInvoice } from '../../db/repositories/billing/adjustments.js';
import type { InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import { settleManualRefunds } from '../../db/repositories/billing/record-refund.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { transaction } from '../../db/transaction.js';
import { priceLines } from '../../domain/invoice.js';
import { presentLine } from '../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext } from '../http/context.js';
import { idempotencyOf } from '../http/idempotency.js';
import { awaitRefunds, startRefund } from '../payments/run-refunds.js';
import type { AdjustBody } from './schema.js';

function presentAdjustment(adjustment: AdjustmentRow) {
  const { id, kind, total_minor, lines, reason, debit_invoice_id, accounting_id, refund_ids } = adjustment;
  return {
    id,
    kind,
    total_minor,
    lines: lines.map(presentLine),
    reason,
    ...(kind === 'debit' ? { invoice_id: debit_invoice_id } : { credit_note_id: accounting_id }),
    refund_id: refund_ids[0] ?? null,
    refund_ids,
    created_at: adjustment.created_at.toISOString(),
  };
}

/**
 * `POST /v1/invoices/{id}/adjustments` (decisions.md, "Invoices and payments"): a debit makes an invoice, a credit
 * gives money back the way it was paid.
 */
export async function adjust(
  deps: ApiDependencies,
  ctx: ApiContext,
  invoice: InvoiceRow,
): Promise<{ body: { adjustment: ReturnType<typeof presentAdjustment> }; created: boolean }> {
  const { lines, reason } = ctx.state.body as AdjustBody;
  const { workspace_id, id: invoice_id } = invoice;
  const workspace = (await findWorkspace(deps.db.manager, workspace_id))!;
  const priced = priceLines(lines, workspace.tax_codes);
  const idempotency = idempotencyOf(ctx);
  const id = newId('adj');
  const { made, refunds } = await transaction(deps.db, async (tx) => {
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound !== id) return { made: bound, refunds: [] };
    const begun = await adjustInvoice(tx, { id, invoice_id, lines: priced, reason });
    return { made: id, refunds: await settleManualRefunds(tx, begun) };
  });
  for (const refundId of refunds) await startRefund(deps, refundId, workspace_id);
  await awaitRefunds(deps, refunds);
  const adjustment = (await findAdjustment(deps.db.manager, workspace_id, made))!;
  return { body: { adjustment: presentAdjustment(adjustment) }, created: made === id };
}
