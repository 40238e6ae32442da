import { ApiError } from '../../../domain/errors.js';
import { describeBooking, presentBooking } from '../../../domain/presenters/booking.js';
import { BOOKING_TRANSITIONS, type ConfirmationSource } from '../../../domain/states.js';
import type { PaymentRefusal } from '../../../domain/late-payment.js';
import { newId } from '../../ids.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { lockBooking, type BookingRow } from './booking-queries.js';
import { setCheckoutState } from '../billing/checkouts.js';
import { insertEvent, type EventType } from '../events/events.js';
import { payInvoice, voidInvoice } from '../billing/invoice-lifecycle.js';
import { insertInvoice } from '../billing/invoices.js';
import { enqueueMail } from '../mail/mails.js';
import { findPaymentByIntent, insertPayment, setRefusal, type ReceivedPayment } from '../billing/payments.js';
import { beginRefund } from '../billing/refunds.js';
import { returnHourCredits } from './hour-credits.js';

async function tell(tx: Tx, type: EventType, booking: BookingRow, at: Date): Promise<void> {
  await insertEvent(tx, {
    type,
    workspace_id: booking.workspace_id,
    object: presentBooking(booking),
    created_at: at,
  });
}

const PUBLISH = {
  name: 'publish_booking',
  text: `WITH request AS (
      UPDATE booking_requests SET state = 'published', finished_at = $2 WHERE booking_id = $1
    ), checkout AS (
      UPDATE checkouts SET state = 'open', session_id = coalesce(session_id, $6), updated_at = $2
      WHERE owner_id = $1 AND state NOT IN ('paid', 'closed')
    )
    UPDATE bookings SET published_at = $2, updated_at = $2, invoice_id = $3, checkout_url = $4, expires_at = $5
    WHERE id = $1`,
};

/**
 * Makes a reservation a booking that everyone sees: checkout address, end of the hold, invoice with its number,
 * `booking.created`; one without a price is confirmed in the same breath. Returns the booking, also when it was
 * published before; null if the reservation is gone.
 */
export async function publishBooking(
  tx: Tx,
  id: string,
  session: { id: string; url: string } | null,
): Promise<BookingRow | null> {
  const booking = await lockBooking(tx, id);
  if (!booking || booking.published_at) return booking;
  const now = new Date();
  const expiresAt = new Date(now.getTime() + booking.hold_seconds * 1000);
  const invoiceId = newId('inv');
  await insertInvoice(tx, {
    id: invoiceId,
    kind: 'booking',
    workspace_id: booking.workspace_id,
    currency: booking.currency,
    due_at: session ? expiresAt : now,
    company_id: booking.company_id,
    member_id: booking.member_id,
    booking_id: id,
    created_at: now,
    lines: [
      {
        description: describeBooking(booking),
        quantity: 1,
        unit_amount_minor: booking.net_minor,
        tax_code: booking.tax_code,
        tax_rate_bps: booking.tax_rate_bps,
        net_minor: booking.net_minor,
        tax_minor: booking.tax_minor,
      },
    ],
  });
  const published: BookingRow = {
    ...booking,
    published_at: now,
    updated_at: now,
    invoice_id: invoiceId,
    checkout_url: session?.url ?? null,
    expires_at: session ? expiresAt : null,
  };
  await many<any>(tx, PUBLISH, [
    id,
    now,
    invoiceId,
    published.checkout_url,
    published.expires_at,
    session?.id ?? null,
  ]);
  await tell(tx, 'booking.created', published, now);
  if (session) return published;
  return confirm(tx, published, { source: null, paymentIntentId: null, at: now });
}

async function confirm(
  tx: Tx,
  booking: BookingRow,
  by: { source: ConfirmationSource | null; paymentIntentId: string | null; at: Date },
): Promise<BookingRow> {
  const confirmed: BookingRow = {
    ...booking,
    status: BOOKING_TRANSITIONS.confirm.to,
    confirmed_at: by.at,
    updated_at: by.at,
    confirmation_source: by.source,
    processor_payment_intent_id: by.paymentIntentId,
  };
  await tx.query(
    `UPDATE bookings SET status = $2, confirmed_at = $3, updated_at = $3, confirmation_source = $4,
            processor_payment_intent_id = $5
     WHERE id = $1 AND status = ANY ($6)`,
    [booking.id, confirmed.status, by.at, by.source, by.paymentIntentId, BOOKING_TRANSITIONS.confirm.from],
  );
  await payInvoice(tx, booking.invoice_id!, by.at);
  await tell(tx, 'booking.confirmed', confirmed, by.at);
  await enqueueMail(tx, {
    workspace_id: booking.workspace_id,
    booking_id: booking.id,
    kind: 'booking_confirmed',
  });
  return confirmed;
}

/** What became of money: it confirmed the booking (now or before), or it goes back. */
export type Settlement =
  /** `excess_refund_id`: what was paid over the total, and goes back. */
  | { kind: 'confirmed'; already: boolean; payment_id: string; excess_refund_id?: string }
  | { kind: 'refused'; refusal: PaymentRefusal };

/** The settlement of an intent that has been settled before, or null. */
export async function findSettlement(tx: Tx, paymentIntentId: string): Promise<Settlement | null> {
  const payment = await findPaymentByIntent(tx, paymentIntentId);
  if (!payment) return null;
  if (payment.refusal) return { kind: 'refused', refusal: payment.refusal };
  return { kind: 'confirmed', already: true, payment_id: payment.id };
}

/**
 * Settles money that the processor says it has for a booking (spec.md, rules 5 to 7): a pending booking is
 * confirmed; money for one that is paid, expired or cancelled is stored with the refund that gives it all back.
 * Safe to run any number of times; the first answer stands.
 */
export async function settleMoney(
  tx: Tx,
  checkout: { owner_id: string; workspace_id: string },
  money: ReceivedPayment,
  source: ConfirmationSource,
): Promise<Settlement> {
  const booking = await lockBooking(tx, checkout.owner_id);
  const settled = await findSettlement(tx, money.payment_intent_id);
  if (settled) return settled;
  const paymentId = await insertPayment(tx, {
    workspace_id: checkout.workspace_id,
    invoice_id: booking?.invoice_id ?? null,
    booking_id: booking?.id ?? null,
    kind: 'charge',
    money,
    source,
  });
  await setCheckoutState(tx, checkout.owner_id, 'paid');
  if (booking?.published_at && booking.status === 'pending_payment') {
    await confirm(tx, booking, { source, paymentIntentId: money.payment_intent_id, at: new Date() });
    return { kind: 'confirmed', already: false, payment_id: paymentId };
  }
  const conflicting = booking && (await findLiveBookingInPlaceOf(tx, booking));
  const refundId = await beginRefund(tx, paymentId, { amount_minor: money.amount_minor, reason: 'other' });
  const refusal: PaymentRefusal = {
    code: conflicting ? 'slot_already_paid' : 'payment_too_late',
    booking_id: checkout.owner_id,
    conflicting_booking_id: conflicting,
    refund_id: refundId,
  };
  await setRefusal(tx, paymentId, refusal);
  return { kind: 'refused', refusal };
}

/** Who has a booking's place now: itself where it is live, else the other live booking that overlaps it. */
async function findLiveBookingInPlaceOf(tx: Tx, booking: BookingRow): Promise<string | null> {
  const rows: { booking_id: string }[] = await tx.query(
    `SELECT c.booking_id FROM slot_claims c JOIN bookings b ON b.id = c.booking_id
     WHERE c.room_id = $1 AND c.during && tstzrange($2, $3) AND b.status IN ('pending_payment', 'confirmed')
     ORDER BY c.booking_id = $4 DESC LIMIT 1`,
    [booking.room_id, booking.start_at, booking.end_at, booking.id],
  );
  return rows[0]?.booking_id ?? null;
}

/** Ends an unpaid hold: expired, slot free, invoice void, event, mail. Leaves any other status alone. */
export async function expireBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const booking = await lockBooking(tx, id);
  if (booking?.status !== 'pending_payment') return booking;
  const now = new Date();
  const expired: BookingRow = {
    ...booking,
    status: BOOKING_TRANSITIONS.expire.to,
    expired_at: now,
    updated_at: now,
  };
  await tx.query(`UPDATE bookings SET status = $2, expired_at = $3, updated_at = $3 WHERE id = $1`, [
    id,
    expired.status,
    now,
  ]);
  await tx.query(`DELETE FROM slot_claims WHERE booking_id = $1`, [id]);
  await returnHourCredits(tx, booking);
  await voidInvoice(tx, booking.invoice_id!, now);
  await tell(tx, 'booking.expired', expired, now);
  await enqueueMail(tx, { workspace_id: booking.workspace_id, booking_id: id, kind: 'booking_expired' });
  return expired;
}

/** Ends a confirmed booking whose time is over. Its claim stays, for the turnaround after it. */
export async function completeBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const booking = await lockBooking(tx, id);
  if (booking?.status !== 'confirmed') return booking;
  const now = new Date();
  const completed: BookingRow = {
    ...booking,
    status: BOOKING_TRANSITIONS.complete.to,
    completed_at: now,
    updated_at: now,
  };
  await tx.query(`UPDATE bookings SET status = $2, completed_at = $3, updated_at = $3 WHERE id = $1`, [
    id,
    completed.status,
    now,
  ]);
  await tell(tx, 'booking.completed', completed, now);
  return completed;
}

const NO_SHOW_DAYS = 7;

/**
 * Marks that nobody came: the status stays, nothing is given back (decisions.md, "Bookings"). A confirmed booking
 * from its start on, a completed one for a week. Marking again changes nothing.
 * Errors: 409 `booking_not_started`, `booking_not_editable`.
 */
export async function markNoShow(tx: Tx, id: string): Promise<BookingRow> {
  const booking = (await lockBooking(tx, id))!;
  if (booking.no_show_at) return booking;
  const now = new Date();
  if (booking.status !== 'confirmed' && booking.status !== 'completed') {
    throw new ApiError('booking_not_editable', `A booking that is ${booking.status} has nobody to wait for.`);
  }
  if (now < booking.start_at) throw new ApiError('booking_not_started', 'The booking has not started yet.');
  if (now.getTime() > booking.end_at.getTime() + NO_SHOW_DAYS * 86_400_000) {
    throw new ApiError('booking_not_editable', `A no-show is marked within ${NO_SHOW_DAYS} days.`);
  }
  const marked: BookingRow = { ...booking, no_show_at: now, updated_at: now };
  await tx.query(`UPDATE bookings SET no_show_at = $2, updated_at = $2 WHERE id = $1`, [id, now]);
  await tell(tx, 'booking.no_show', marked, now);
  return marked;
}
