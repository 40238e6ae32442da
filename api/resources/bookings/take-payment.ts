import { findBound } from '../../../commands/api-keys/idempotency.js';
import { insertChange } from '../../../commands/bookings/booking-changes.js';
import { takePaymentUpdate } from '../../../contract/bookings.js';
import { findChangeCheckout } from '../../../db/queries/payments/checkout.js';
import { storedPayment } from '../payments/operations.js';
import { findChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Checkout } from '../../../db/entities/payments.js';
import {
  assertFullAmount,
  whyNotTakeDifference,
  whyNotTakePayment,
} from '../../../domain/payments/desk-payment.js';
import { refuse } from '../../../domain/errors.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { assertReceived } from '../shared/paid-at.js';
import { presentBookingFor } from './present.js';
import { bookingOf } from './read.js';
import { actorOf, executeUpdate, type Deps } from './run-update.js';
import type { TakePaymentBody } from './payment-shape.js';

/**
 * `POST /v1/bookings/{id}/payments`: records a payment at the desk, and confirms the booking or makes the
 * change that it is for (docs/rules/bookings.md#payments-at-the-desk). Errors: 404 `booking_not_found`,
 * `not_found` for an unknown change; 409 `already_paid`, `booking_not_payable`; 422 for another amount than
 * is due; 502 `processor_error` if the hosted page could not be closed; 503 if it was not decided in time.
 * After an error nothing is recorded.
 */
export function takePayment(deps: Deps): Handler<TakePaymentBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { manager } = deps.db;
    const booking = await bookingOf(ctx, deps);
    const { workspace_id, id } = booking;
    const { method, amount_minor, reference, pending_change_id, paid_at = new Date() } = body;
    assertReceived(paid_at);
    const idempotency = idempotencyOf(ctx);
    const before = await findBound(manager, workspace_id, idempotency);
    const payment_id = before ?? (await record());
    const payment = await storedPayment(manager, workspace_id, payment_id);
    const current = await bookingOf(ctx, deps);
    ctx.status = before ? 200 : 201;
    ctx.body = { ...presentBookingFor(deps, principal, current), payment: presentPayment(payment) };

    async function record(): Promise<string> {
      const checkout = await payableCheckout(deps, booking, body);
      const request = {
        method,
        amount_minor,
        reference: reference || null,
        paid_at: paid_at.toISOString(),
        pending_change_id,
        idempotency,
      };
      const change = {
        workspace_id,
        booking_id: id,
        actor: actorOf(principal),
        kind: 'payment',
        request,
      } as const;
      const changeId = await insertChange(manager, change);
      return (await executeUpdate(deps, booking, takePaymentUpdate, changeId, checkout?.id))!.payment_id!;
    }
  };
}

/**
 * The checkout of the change that a payment is for; null for the booking. Throws why the
 * payment cannot be taken.
 */
async function payableCheckout(
  { db: { manager } }: Deps,
  booking: BookingRow,
  { amount_minor, pending_change_id }: TakePaymentBody,
): Promise<Checkout | null> {
  const now = new Date();
  if (pending_change_id)
    refuse(whyNotTakeDifference(booking, await findChange(manager, pending_change_id), now));
  else refuse(whyNotTakePayment(booking, now));
  const checkout = pending_change_id ? await findChangeCheckout(manager, pending_change_id) : null;
  assertFullAmount(amount_minor, booking, checkout);
  return checkout;
}
