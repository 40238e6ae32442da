import { newId } from '../../../db/ids.js';
import { bindKey } from '../../../commands/api-keys/idempotency.js';
import { markPaid as storePayment } from '../../../commands/invoices/payments.js';
import { storedPayment } from '../payments/read.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { transaction } from '../../../db/transaction.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { assertReceived } from '../shared/paid-at.js';
import { withClosedCheckout, type CheckoutDependencies } from './checkout.js';
import { invoiceOf, presentWithLink, type PresentingDependencies } from './read.js';
import type { MarkPaidBody } from './shape.js';

/**
 * `POST /v1/invoices/{id}/mark-paid`: records a payment received outside the processor
 * (docs/rules/billing.md#manual-payments). Amounts in minor units. Errors: 404 `invoice_not_found`; 409
 * `invoice_managed_by_booking`, `invoice_not_open`; 422 `amount_exceeds_outstanding`,
 * `validation_failed`; 503.
 */
export function markPaid(deps: CheckoutDependencies & PresentingDependencies): Handler<MarkPaidBody> {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    const { amount_minor, method, paid_at = new Date(), reference } = ctx.state.body;
    assertReceived(paid_at);
    const { workspace_id } = invoice;
    const idempotency = idempotencyOf(ctx);
    const id = newId('pay');
    const payment = { id, amount_minor, method, paid_at, reference: reference || null };
    const paymentId = await withClosedCheckout(deps, invoice.id, () =>
      transaction(deps.db, async (tx) => {
        const bound = await bindKey(tx, workspace_id, idempotency, id);
        if (bound !== id) return bound;
        await storePayment(tx, invoice.id, payment);
        const details = { payment_id: id, amount_minor, method, reference: payment.reference };
        await audit(tx, ctx.state.principal, { action: 'invoice.marked_paid', object: invoice.id, details });
        return id;
      }),
    );
    ctx.status = 200;
    ctx.body = {
      invoice: presentWithLink(deps, ctx.state.principal, await invoiceOf(ctx, deps)),
      payment: presentPayment(await storedPayment(deps.db.manager, workspace_id, paymentId)),
    };
  };
}
