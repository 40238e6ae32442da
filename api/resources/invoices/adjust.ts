import { newId } from '../../../db/ids.js';
import { bindKey, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { adjustInvoice } from '../../../commands/invoices/adjustments.js';
import { findAdjustment, type AdjustmentRow } from '../../../db/queries/invoices/adjustment.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { settleManualRefunds } from '../../../commands/payments/record-refund.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { transaction } from '../../../db/transaction.js';
import { priceLines, totalsOf } from '../../../domain/invoices/invoice.js';
import type { Principal } from '../../../domain/policies.js';
import { presentAdjustment } from '../../../domain/invoices/adjustment-presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { stillStored } from '../../http/errors.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { awaitRefunds, startRefund } from '../payments/run-refunds.js';
import { invoiceOf, presentWithLink } from './read.js';
import type { AdjustBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'payLinks' | 'publicUrl'>;

/**
 * `POST /v1/invoices/{id}/adjustments` (docs/rules/billing.md#adjustments). Errors: 404 `invoice_not_found`;
 * 409 `invoice_not_paid`, `invoice_not_mutable`; 422 `amount_exceeds_refundable`, `validation_failed`.
 */
export function adjust(deps: Deps): Handler<AdjustBody> {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    const { adjustment, created } = await adjustOnce(
      deps,
      invoice,
      ctx.state.body,
      ctx.state.principal,
      idempotencyOf(ctx),
    );
    ctx.status = created ? 201 : 200;
    ctx.body = {
      adjustment: presentAdjustment(adjustment),
      invoice: presentWithLink(deps, ctx.state.principal, await invoiceOf(ctx, deps)),
    };
  };
}

/** A debit creates an invoice, a credit refunds to the original payment method. */
async function adjustOnce(
  deps: Deps,
  { workspace_id, id: invoice_id, currency }: InvoiceRow,
  { lines, reason }: AdjustBody,
  caller: Principal,
  idempotency: IdempotencyKey | null,
): Promise<{ adjustment: AdjustmentRow; created: boolean }> {
  const workspace = (await findWorkspace(deps.db.manager, workspace_id))!;
  const priced = priceLines(lines, workspace.tax_codes, currency);
  const id = newId('adj');
  const { bound, refunds } = await transaction(deps.db, async (tx) => {
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound !== id) return { bound, refunds: [] };
    const begun = await adjustInvoice(tx, { id, invoice_id, lines: priced, reason });
    const details = { adjustment_id: id, total_minor: totalsOf(priced).total_minor, reason };
    await audit(tx, caller, { action: 'invoice.adjusted', object: invoice_id, details });
    return { bound, refunds: await settleManualRefunds(tx, begun) };
  });
  for (const refundId of refunds) await startRefund(deps, refundId, workspace_id);
  await awaitRefunds(deps, refunds);
  const adjustment = stillStored(await findAdjustment(deps.db.manager, workspace_id, bound));
  return { adjustment, created: bound === id };
}
