import { newId } from '../../../db/ids.js';
import { bindKey, type IdempotencyKey } from '../../../commands/access/idempotency.js';
import { findInvoice } from '../../../db/queries/billing/invoice.js';
import { lockPayment } from '../../../commands/billing/payments.js';
import type { PaymentRow } from '../../../db/queries/billing/payment.js';
import { reserveRefund } from '../../../commands/billing/refunds.js';
import { settleManualRefunds } from '../../../commands/billing/record-refund.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { refuse } from '../../../domain/errors.js';
import { assertRefundableUnit, refundableOf, whyNotRefund } from '../../../domain/payment-refund.js';
import type { Principal } from '../../../domain/policies.js';
import { presentPayment } from '../../../domain/presenters/payment.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { presentWithLink } from '../invoices/read.js';
import { noSuchPayment, paymentOf, storedPayment } from './read.js';
import { awaitRefunds, startRefund } from './run-refunds.js';
import type { RefundBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'payLinks' | 'publicUrl'>;

/**
 * `POST /v1/payments/{id}/refund` (docs/rules/billing.md#refunds). Amounts in minor units. Errors: 404
 * `payment_not_found`; 409 `idempotency_conflict`; 422 `amount_exceeds_refundable`,
 * `validation_failed`.
 */
export function refund(deps: Deps): Handler<RefundBody> {
  return async (ctx) => {
    const { manager } = deps.db;
    const payment = await paymentOf(ctx, deps);
    const { workspace_id, invoice_id } = payment;
    const refundId = await storeRefund(
      deps,
      payment,
      ctx.state.body,
      ctx.state.principal,
      idempotencyOf(ctx),
    );
    const stored = await storedPayment(manager, workspace_id, refundId);
    if (payment.account_id && stored.status === 'pending') {
      await startRefund(deps, refundId, workspace_id);
      await awaitRefunds(deps, [refundId]);
    }
    const invoice = invoice_id ? await findInvoice(manager, workspace_id, invoice_id) : null;
    ctx.status = 200;
    ctx.body = {
      refund: presentPayment(await storedPayment(manager, workspace_id, refundId)),
      payment: presentPayment(await paymentOf(ctx, deps)),
      invoice: invoice && presentWithLink(deps, ctx.state.principal, invoice),
    };
  };
}

/** Stores a refund under the payment's lock, so that concurrent refunds never exceed the payment. Returns its id. */
function storeRefund(
  { db }: Deps,
  payment: PaymentRow,
  { amount_minor, reason, notify_payer }: RefundBody,
  caller: Principal,
  idempotency: IdempotencyKey | null,
): Promise<string> {
  return transaction(db, async (tx) => {
    const id = newId('pay');
    const bound = await bindKey(tx, payment.workspace_id, idempotency, id);
    if (bound !== id) return bound;
    const locked = await lockPayment(tx, payment.id);
    if (!locked) throw noSuchPayment();
    const left = refundableOf(locked);
    const amount = amount_minor ?? left;
    refuse(whyNotRefund(amount, { amount_minor: left, currency: payment.currency }));
    if (payment.account_id)
      assertRefundableUnit({ amount_minor: amount, currency: payment.currency }, 'amount_minor');
    const refund = { id, amount_minor: amount, purpose: 'request', reason, notify_payer } as const;
    await reserveRefund(tx, payment.id, refund);
    const details = { refund_id: id, amount_minor: amount, reason };
    await audit(tx, caller, { action: 'payment.refunded', object: payment.id, details });
    await settleManualRefunds(tx, [id]);
    return id;
  });
}
