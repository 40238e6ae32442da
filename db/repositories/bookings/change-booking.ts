import { planChange, type ChangePlan, type Move } from '../../../domain/booking-change.js';
import { ApiError } from '../../../domain/errors.js';
import { describeBooking, presentBooking } from '../../../domain/presenters/booking.js';
import type { TaxCode, Tier } from '../../../domain/price.js';
import { percentOf, refundPercent } from '../../../domain/refund-policy.js';
import { slotUnavailable } from '../../../domain/slots.js';
import type { Room } from '../../rows.js';
import type { Tx } from '../../transaction.js';
import { finishChange, setCharging, type BookingChange, type ChangeOutcome } from './booking-changes.js';
import { lockBooking, type BookingRow } from './booking-queries.js';
import { insertEvent } from '../events/events.js';
import type { InvoiceLine } from '../../../domain/invoice.js';
import { unrefundInvoice } from '../billing/invoice-lifecycle.js';
import { addPaidLines } from '../billing/invoices.js';
import { enqueueMail } from '../mail/mails.js';
import { insertPayment, type ReceivedPayment } from '../billing/payments.js';
import { beginRefunds, findRefundable } from '../billing/refunds.js';
import { ABANDONED, releaseReservation } from './reservations.js';
import { lockRooms } from '../rooms/rooms.js';

type AskedChange = BookingChange & { kind: 'change' };

const NO_CARD = 'The longer or dearer booking has to be paid, and there is no card on file to charge.';

/**
 * Decides about a change, and makes it where nothing has to be charged. Where something has, the booking holds its
 * new place beside the old one from here on, and `charge` is answered (decisions.md, "Bookings": PATCH).
 * Errors: 404, 402, 403, 409, 422 as decided; then nothing is stored.
 */
export async function beginChange(tx: Tx, change: AskedChange): Promise<ChangeOutcome | 'charge'> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const request = change.request!;
  const toId = request.room_id ?? booking.room_id;
  const rooms = await lockRooms(tx, change.workspace_id, [booking.room_id, toId]);
  const from = rooms.get(booking.room_id)!;
  const to = rooms.get(toId);
  if (!to) throw new ApiError('room_not_found', 'There is no such room.', { param: 'room_id' });
  const { tier, tax_codes } = await findBooker(tx, booking);
  const plan = planChange(booking, { from, to }, { tier }, tax_codes, request, Date.now());
  if (plan.move) await assertPlaceFree(tx, booking, plan.move);
  if (plan.move && plan.move.difference.total_minor > 0) {
    if (!booking.processor_payment_intent_id) throw new ApiError('payment_failed', NO_CARD);
    await claim(tx, booking, plan.move);
    await setCharging(tx, change.id, plan);
    return 'charge';
  }
  const refund_ids = plan.move ? await refundDifference(tx, booking, from, plan.move) : [];
  await apply(tx, booking, to, plan, change.id);
  const outcome: ChangeOutcome = { kind: 'done', charged_minor: 0, payment_id: null, refund_ids };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** Ends a change whose difference has been paid: the old place is free, the payment and its invoice line stored. */
export async function finishPaidChange(
  tx: Tx,
  change: BookingChange,
  money: ReceivedPayment,
): Promise<ChangeOutcome> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const plan = change.plan!;
  const move = plan.move!;
  const to = (await lockRooms(tx, change.workspace_id, [move.room_id])).get(move.room_id)!;
  const payment_id = await insertPayment(tx, {
    workspace_id: change.workspace_id,
    invoice_id: booking.invoice_id,
    booking_id: booking.id,
    kind: 'top_up',
    money,
    source: null,
  });
  const moved = await apply(tx, booking, to, plan, change.id);
  await addPaidLines(tx, booking.invoice_id!, payment_id, linesOf(booking, moved, move));
  await unrefundInvoice(tx, booking.invoice_id!);
  const outcome: ChangeOutcome = {
    kind: 'done',
    charged_minor: money.amount_minor,
    payment_id,
    refund_ids: [],
  };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** Ends a change whose difference was refused: the booking is exactly as it was, and only its old place is held. */
export async function undoChange(tx: Tx, change: BookingChange): Promise<ChangeOutcome> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  await dropOtherClaims(tx, booking.id);
  const message = 'The card on file was not charged, so the booking stays as it was.';
  const outcome: ChangeOutcome = { kind: 'refused', code: 'payment_failed', message, context: {} };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

async function findBooker(tx: Tx, booking: BookingRow): Promise<{ tier: Tier | null; tax_codes: TaxCode[] }> {
  const [row] = await tx.query(
    `SELECT w.tax_codes, m.tier FROM workspaces w LEFT JOIN members m ON m.id = $2 WHERE w.id = $1`,
    [booking.workspace_id, booking.member_id],
  );
  return row;
}

/** Refuses a place that a blackout or another booking has. What a dead create still holds there is released. */
async function assertPlaceFree(tx: Tx, booking: BookingRow, move: Move): Promise<void> {
  const range = [move.room_id, new Date(move.start_at)];
  const blackouts: unknown[] = await tx.query(
    `SELECT FROM blackouts WHERE room_id = $1 AND during && tstzrange($2, $3) LIMIT 1`,
    [...range, new Date(move.end_at)],
  );
  if (blackouts.length > 0) throw slotUnavailable('blackout');
  const others: { id: string; abandoned: boolean }[] = await tx.query(
    `SELECT bookings.id, (${ABANDONED}) AS abandoned FROM slot_claims c JOIN bookings ON bookings.id = c.booking_id
     WHERE c.room_id = $1 AND c.during && tstzrange($2, $3) AND c.booking_id <> $4`,
    [...range, new Date(move.occupied_until), booking.id],
  );
  if (others.some((other) => !other.abandoned)) throw slotUnavailable('booked');
  for (const { id } of others) await releaseReservation(tx, id, 'abandoned');
}

async function claim(tx: Tx, booking: BookingRow, move: Move): Promise<void> {
  await tx.query(
    `INSERT INTO slot_claims (booking_id, room_id, during) VALUES ($1, $2, tstzrange($3, $4)) ON CONFLICT DO NOTHING`,
    [booking.id, move.room_id, new Date(move.start_at), new Date(move.occupied_until)],
  );
}

async function dropOtherClaims(tx: Tx, bookingId: string): Promise<void> {
  await tx.query(
    `DELETE FROM slot_claims c USING bookings b
     WHERE b.id = $1 AND c.booking_id = b.id AND (c.room_id, c.during) IS DISTINCT FROM (b.room_id, b.occupies)`,
    [bookingId],
  );
}

async function refundDifference(tx: Tx, booking: BookingRow, from: Room, move: Move): Promise<string[]> {
  const percent = refundPercent(from.refund_steps, booking.start_at.getTime(), Date.now());
  const amount = percentOf(-move.difference.total_minor, percent);
  const refundable = await findRefundable(tx, { booking_id: booking.id });
  return beginRefunds(tx, refundable, { amount_minor: amount, reason: 'requested_by_customer' });
}

/** Makes the change: place, price, `booking.updated`, mail. One that changes nothing leaves no trace. */
async function apply(
  tx: Tx,
  booking: BookingRow,
  room: Room,
  { move, attendees, notes }: ChangePlan,
  changeId: string,
): Promise<BookingRow> {
  if (!move && attendees === booking.attendees && notes === booking.notes) return booking;
  const now = new Date();
  const changed: BookingRow = {
    ...booking,
    attendees,
    notes,
    sequence: booking.sequence + 1,
    updated_at: now,
    ...(move && {
      room_id: room.id,
      room_name: room.name,
      time_zone: room.time_zone,
      start_at: new Date(move.start_at),
      end_at: new Date(move.end_at),
      net_minor: move.price.net_minor,
      tax_minor: move.price.tax_minor,
      price_minor: move.price.total_minor,
    }),
  };
  if (move) {
    await claim(tx, booking, move);
    await tx.query(
      `UPDATE bookings SET room_id = $2, start_at = $3, end_at = $4, occupies = tstzrange($3, $5), net_minor = $6,
              tax_minor = $7, price_minor = $8, tax_code = $9, tax_rate_bps = $10, price_per_hour_minor = $11,
              discount_percent = $12
       WHERE id = $1`,
      [
        booking.id,
        room.id,
        changed.start_at,
        changed.end_at,
        new Date(move.occupied_until),
        changed.net_minor,
        changed.tax_minor,
        changed.price_minor,
        move.tax_code,
        move.rate.tax_rate_bps,
        move.rate.price_per_hour_minor,
        move.rate.discount_percent,
      ],
    );
    await dropOtherClaims(tx, booking.id);
  }
  await tx.query(
    `UPDATE bookings SET attendees = $2, notes = $3, sequence = $4, updated_at = $5 WHERE id = $1`,
    [booking.id, attendees, notes, changed.sequence, now],
  );
  await insertEvent(tx, {
    type: 'booking.updated',
    workspace_id: booking.workspace_id,
    object: presentBooking(changed),
    previous: previousOf(booking, changed),
    created_at: now,
  });
  if (move) {
    const { workspace_id } = booking;
    await enqueueMail(tx, { workspace_id, booking_id: booking.id, kind: 'booking_changed', about: changeId });
  }
  return changed;
}

/** The fields that a change gave another value, with what they were. */
function previousOf(before: BookingRow, after: BookingRow): Record<string, unknown> {
  const now = presentBooking(after) as Record<string, unknown>;
  const changed = Object.entries(presentBooking(before)).filter(
    ([field, value]) => field !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(now[field]),
  );
  return Object.fromEntries(changed);
}

/** A dearer change on its invoice: one line, or two where another tax applies now. */
function linesOf(before: BookingRow, after: BookingRow, move: Move): InvoiceLine[] {
  const line = (description: string, net: number, tax: number, code: string, bps: number): InvoiceLine => ({
    description,
    quantity: 1,
    unit_amount_minor: net,
    tax_code: code,
    tax_rate_bps: bps,
    net_minor: net,
    tax_minor: tax,
  });
  const changed = `Changed to ${describeBooking(after)}`;
  const { rate, tax_code, price, difference } = move;
  if (tax_code === before.tax_code && rate.tax_rate_bps === before.tax_rate_bps) {
    return [line(changed, difference.net_minor, difference.tax_minor, tax_code, rate.tax_rate_bps)];
  }
  const { net_minor, tax_minor, tax_rate_bps } = before;
  return [
    line(`Instead of ${describeBooking(before)}`, -net_minor, -tax_minor, before.tax_code, tax_rate_bps),
    line(changed, price.net_minor, price.tax_minor, tax_code, rate.tax_rate_bps),
  ];
}
