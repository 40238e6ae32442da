import type { ChangeOutcome } from '../../domain/booking-change.js';
import {
  assertFullAmount,
  manualMethodOf,
  whyNotRecordAtDesk,
  whyNotTakePayment,
  type ClosedPage,
} from '../../domain/desk-payment.js';
import { refuse } from '../../domain/errors.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { newId } from '../../db/ids.js';
import type { Tx } from '../../db/transaction.js';
import { boundBefore } from '../access/idempotency.js';
import { setCheckoutState } from '../billing/checkouts.js';
import { insertPayment } from '../billing/payments.js';
import { audit } from '../workspaces/audit.js';
import { finishChange } from './booking-changes.js';
import { lockBooking } from './bookings.js';
import { confirmBooking } from './confirm-booking.js';

type DeskPayment = BookingChange & { kind: 'payment' };

/**
 * Records the payment of a booking that was taken at the desk, and confirms the booking
 * (docs/rules/bookings.md#payments-at-the-desk). Its hosted page must be closed. The booking's lock decides between this
 * and a payment on the page: the one that comes second is refused. The outcome has the id of the payment, for a repeat
 * with the same `Idempotency-Key` that of the first. Errors: 409 `already_paid`, `booking_not_payable`; 422 for another
 * amount; 502 `processor_error` if the page may still be paid.
 */
export async function recordDeskPayment(
  tx: Tx,
  change: DeskPayment,
  page: ClosedPage,
): Promise<ChangeOutcome> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const id = newId('pay');
  const before = await boundBefore(tx, booking.workspace_id, change.request!.idempotency, id);
  if (before === null) await record(tx, booking, change, { id, page });
  const outcome: ChangeOutcome = {
    kind: 'done',
    charged_minor: 0,
    payment_id: before ?? id,
    refund_ids: [],
  };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

async function record(
  tx: Tx,
  booking: BookingRow,
  { actor, request }: DeskPayment,
  { id, page }: { id: string; page: ClosedPage },
): Promise<void> {
  const { amount_minor, reference, paid_at } = request!;
  const { workspace_id, currency } = booking;
  const at = new Date();
  refuse(whyNotTakePayment(booking, at));
  assertFullAmount(amount_minor, booking);
  refuse(whyNotRecordAtDesk(page));
  const method = manualMethodOf[request!.method];
  await insertPayment(tx, {
    id,
    workspace_id,
    invoice_id: booking.invoice_id,
    booking_id: booking.id,
    kind: 'manual',
    received: { amount_minor, currency, method, paid_at: new Date(paid_at) },
    source: null,
    reference,
  });
  await setCheckoutState(tx, booking.id, page!);
  await confirmBooking(tx, booking, { source: null, paymentIntentId: null, at, paid_at_desk: true });
  const details = { payment_id: id, amount_minor, method, reference };
  await audit(
    tx,
    { ...actor, workspace_id },
    { action: 'booking.payment_taken', object: booking.id, details },
  );
}
