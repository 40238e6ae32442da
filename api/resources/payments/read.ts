import type { Tx } from '../../../db/transaction.js';
import { findPayment, listPayments, type PaymentRow } from '../../../db/queries/payments/payment.js';
import { ApiError } from '../../../domain/errors.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { stillStored } from '../../http/errors.js';
import { listOf } from '../../http/list.js';
import { isPaymentId } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

export const noSuchPayment = (): ApiError => new ApiError('payment_not_found', 'No such payment.');

/** The payment in the path. Errors: 404 `payment_not_found`. */
export async function paymentOf(
  { state: { principal }, params: { id } }: ApiContext,
  { db }: Deps,
): Promise<PaymentRow> {
  const payment = isPaymentId(id!) ? await findPayment(db.manager, principal.workspace_id, id!) : null;
  if (!payment) throw noSuchPayment();
  return payment;
}

/** A payment or refund that a request has stored. Errors: those of `stillStored`. */
export const storedPayment = async (tx: Tx, workspaceId: string, id: string): Promise<PaymentRow> =>
  stillStored(await findPayment(tx, workspaceId, id));

/** `GET /v1/payments/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentPayment(await paymentOf(ctx, deps));
  };
}

/** `GET /v1/payments`, by when the money moved, newest first. */
export const list = listOf({
  find: listPayments,
  by: 'moved_at',
  isId: isPaymentId,
  present: presentPayment,
});
