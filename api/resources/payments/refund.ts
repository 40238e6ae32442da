import { findInvoice } from '../../../db/queries/invoices/invoice.js';
import { requestRefund } from '../../../commands/payments/request-refund.js';
import { transaction } from '../../../db/transaction.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
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
    const { body, principal } = ctx.state;
    const refundId = await transaction(deps.db, async (tx) => {
      const id = await requestRefund(tx, payment, body, principal, idempotencyOf(ctx));
      if (id === null) throw noSuchPayment();
      return id;
    });
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
      invoice: invoice && presentWithLink(deps, principal, invoice),
    };
  };
}
