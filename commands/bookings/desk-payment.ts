import type { ChangeOutcome } from '../../domain/bookings/change.js';
import {
  assertFullAmount,
  type ClosedPage,
  whyNotRecordAtDesk,
  whyNotTakeDifference,
  whyNotTakePayment,
} from '../../domain/payments/desk-payment.js';
import { refuse } from '../../domain/errors.js';
import { findChangeCheckout } from '../../db/queries/payments/checkout.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { newId } from '../../db/ids.js';
import type { Tx } from '../../db/transaction.js';
import { boundBefore } from '../api-keys/idempotency.js';
import { setCheckoutState } from '../payments/checkouts.js';
import { insertPayment } from '../payments/payments.js';
import { finishChange, lockChange } from './change/plan.js';
import { lockBooking } from './bookings.js';
import { confirmBooking } from './confirm-booking.js';
import { auditTaken, finishPaidChange, toReceived, type Taken } from './change/apply.js';

type DeskPayment = BookingChange & { kind: 'payment' };

/** A hosted page that was closed: the booking's, or with `checkoutId` the page of its change. */
interface Closed {
  checkoutId?: string;
  page: ClosedPage;
}

/**
 * Records a payment that was received at the desk, and confirms the booking or makes the change it pays for
 * (docs/rules/bookings.md#payments-at-the-desk). The hosted page must be closed. The locks of the change and
 * of the booking decide between this payment and one on the page: the later one is refused. The outcome has
 * the id of the payment; for a repeat with the same `Idempotency-Key`, the id of the first payment. Errors:
 * 404 for an unknown change; 409 `already_paid`, `booking_not_payable`; 422 for another amount; 502
 * `processor_error` if the page may still be paid.
 */
export async function recordDeskPayment(tx: Tx, change: DeskPayment, closed: Closed): Promise<ChangeOutcome> {
  const { actor, workspace_id, booking_id } = change;
  const request = change.request!;
  const pending = request.pending_change_id ? await lockChange(tx, request.pending_change_id) : null;
  const booking = (await lockBooking(tx, booking_id))!;
  const id = newId('pay');
  const before = await boundBefore(tx, workspace_id, request.idempotency, id);
  if (before === null) {
    const taken = { id, booking, request };
    if (request.pending_change_id) await takeDifference(tx, taken, pending, closed);
    else await takePrice(tx, taken, closed);
    await auditTaken(tx, actor, taken);
  }
  const payment_id = before ?? id;
  const outcome: ChangeOutcome = { kind: 'done', charged_minor: 0, payment_id, refund_ids: [] };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** Confirms an unpaid booking whose price was received. */
async function takePrice(tx: Tx, taken: Taken, { page }: Closed): Promise<void> {
  const { id, booking, request } = taken;
  const { workspace_id, invoice_id } = booking;
  const at = new Date();
  refuse(whyNotTakePayment(booking, at));
  assertFullAmount(request.amount_minor, booking, null);
  refuse(whyNotRecordAtDesk(page));
  await insertPayment(tx, {
    id,
    workspace_id,
    invoice_id,
    booking_id: booking.id,
    kind: 'manual',
    received: toReceived(taken),
    source: null,
    reference: request.reference,
  });
  await setCheckoutState(tx, booking.id, page!);
  await confirmBooking(tx, booking, { source: null, paymentIntentId: null, at, paid_at_desk: true });
}

/** Makes the change whose difference was received, as a payment on its page would. */
async function takeDifference(
  tx: Tx,
  taken: Taken,
  change: BookingChange | null,
  { checkoutId, page }: Closed,
): Promise<void> {
  const { id, booking, request } = taken;
  refuse(whyNotTakeDifference(booking, change, new Date()));
  const checkout = (await findChangeCheckout(tx, change!.id))!;
  assertFullAmount(request.amount_minor, booking, checkout);
  // Only this page must be closed: on another one, nobody pays the difference.
  refuse(whyNotRecordAtDesk(checkoutId === checkout.id ? page : null));
  const { reference } = request;
  await finishPaidChange(tx, change!, { id, received: toReceived(taken), source: null, reference });
  await setCheckoutState(tx, checkout.owner_id, page!);
}
