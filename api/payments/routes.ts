import Router from '@koa/router';
import { bindKey } from '../../db/repositories/access/idempotency.js';
import { refundExceedsPayment } from '../../db/repositories/billing/adjustments.js';
import { findInvoice } from '../../db/repositories/billing/invoice-queries.js';
import { findPayment, listPayments, type PaymentRow } from '../../db/repositories/billing/payment-queries.js';
import { lockPayment } from '../../db/repositories/billing/payments.js';
import { settleManualRefunds } from '../../db/repositories/billing/record-refund.js';
import { createRefund } from '../../db/repositories/billing/refunds.js';
import { newId } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { presentInvoice } from '../../domain/presenters/invoice.js';
import { presentPayment } from '../../domain/presenters/payment.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { idempotencyOf } from '../http/idempotency.js';
import { validBody, validQuery } from '../http/validate.js';
import { awaitRefunds, startRefund } from './run-refunds.js';
import { isPaymentId, listSchema, refundSchema, type ListQuery, type RefundBody } from './schema.js';

/** Payments and their refunds (spec.md, "Invoices and payments"; decisions.md, same). Amounts in minor units. */
export function paymentRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  async function paymentOf({ state: { principal }, params: { id } }: ApiContext): Promise<PaymentRow> {
    const payment = isPaymentId(id!) ? await findPayment(db.manager, principal.workspace_id, id!) : null;
    if (!payment) throw new ApiError('payment_not_found', 'There is no such payment.');
    return payment;
  }

  const list: Handler = async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query as ListQuery;
    const after = cursor ? decodeCursor(cursor, isPaymentId) : undefined;
    const rows = await listPayments(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (row) => row.created_at, presentPayment);
  };

  const get: Handler = async (ctx) => {
    ctx.body = presentPayment(await paymentOf(ctx));
  };

  /** Stores the refund; parallel ones take turns on the payment's row and never give back more than was paid. */
  async function begin(ctx: ApiContext, payment: PaymentRow): Promise<string> {
    const { amount_minor, reason, notify_payer } = ctx.state.body as RefundBody;
    const idempotency = idempotencyOf(ctx);
    return transaction(db, async (tx) => {
      const id = newId('pay');
      const bound = await bindKey(tx, payment.workspace_id, idempotency, id);
      if (bound !== id) return bound;
      const { refunded_minor, amount_minor: paid, kind, status } = (await lockPayment(tx, payment.id))!;
      const refundable = kind !== 'refund' && (status === 'succeeded' || status === 'partially_refunded');
      const left = refundable ? paid - refunded_minor : 0;
      const amount = amount_minor ?? left;
      if (amount > left || left === 0) throw refundExceedsPayment(left);
      await createRefund(tx, payment.id, { id, amount_minor: amount, reason, notify_payer });
      await settleManualRefunds(tx, [id]);
      return id;
    });
  }

  const refund: Handler = async (ctx) => {
    const payment = await paymentOf(ctx);
    const { workspace_id, invoice_id } = payment;
    const refundId = await begin(ctx, payment);
    const begun = (await findPayment(db.manager, workspace_id, refundId))!;
    if (payment.account_id && begun.status === 'pending') {
      await startRefund(deps, refundId, workspace_id);
      await awaitRefunds(deps, [refundId]);
    }
    const invoice = invoice_id ? await findInvoice(db.manager, workspace_id, invoice_id) : null;
    ctx.status = 200;
    ctx.body = {
      refund: presentPayment((await findPayment(db.manager, workspace_id, refundId))!),
      payment: presentPayment(await paymentOf(ctx)),
      invoice: invoice && presentInvoice(invoice),
    };
  };

  const mayRead = may('billing:read', 'read_billing');
  const mayWrite = may('billing:write', 'write_billing');
  router.get('/v1/payments', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.get('/v1/payments/:id', ...route(signedIn, mayRead, get));
  router.post('/v1/payments/:id/refund', ...route(signedIn, mayWrite, validBody(refundSchema), refund));
  return router;
}
