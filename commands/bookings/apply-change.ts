import { changesPlace, type ChangeActor, type ChangePlan, type Move } from '../../domain/bookings/change.js';
import { BOOKING_DETAILS, detailsOf, sameDetails } from '../../domain/bookings/details.js';
import { sameExtras } from '../../domain/extras/extras.js';
import { extrasIn } from '../../domain/rates/price-lines.js';
import { reminderTime } from '../../domain/bookings/reminder.js';
import { presentBooking, presentExtras } from '../../domain/bookings/booking-presenter.js';
import { Booking } from '../../db/entities/bookings.js';
import type { Room } from '../../db/entities/rooms.js';
import { timeRange } from '../../db/time-range.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail, untilRefunded } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recordBookingEvent } from './bookings.js';
import { returnHourCredits } from './hour-credits.js';
import { claimSlot, releaseOtherSlots } from './slots.js';

/** The columns of a booking that a move changes. */
function columnsOf(before: Booking, move: Move): Partial<Booking> {
  const { rate, price } = move;
  return {
    room_id: move.room_id,
    start_at: new Date(move.start_at),
    end_at: new Date(move.end_at),
    occupies: timeRange(move.start_at, move.occupied_until),
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    price_minor: price.total_minor,
    tax_code: move.tax_code,
    tax_rate_bps: rate.tax_rate_bps,
    price_per_hour_minor: rate.price_per_hour_minor,
    discount_percent: String(rate.discount_percent),
    pricing: move.pricing ?? null,
    ...(move.refund_caps && { refund_caps: move.refund_caps }),
    hour_credits_used: move.hour_credits_used ?? before.hour_credits_used,
    ...(changesPlace(before, move) && {
      refund_percent_cap: Math.min(before.refund_percent_cap, move.refund_percent),
    }),
  };
}

/** When the booker is reminded of a moved booking: as before if its start and room are the same. */
function remindAt(booking: Booking, { reminder_hours }: Room, move: Move, now: Date): Date | null {
  const start_at = new Date(move.start_at);
  const isSame = start_at.getTime() === booking.start_at.getTime() && move.room_id === booking.room_id;
  return isSame ? booking.remind_at : reminderTime({ start_at, reminder_hours }, now);
}

/**
 * Applies a plan to a booking: details, slot, price, hour credits that it returns, `booking.updated`, mail
 * about it and its refunds. Does nothing if nothing changes.
 */
export async function applyPlan(
  tx: Tx,
  booking: BookingRow,
  room: Room,
  plan: ChangePlan,
  { id: about, actor }: BookingChange,
  refundIds: string[] = [],
): Promise<BookingRow> {
  const { move } = plan;
  if (!move && sameDetails(plan, booking)) return booking;
  const now = new Date();
  const changes = {
    ...detailsOf(plan),
    ...(move && columnsOf(booking, move)),
    ...(move && { remind_at: remindAt(booking, room, move, now) }),
    sequence: booking.sequence + 1,
    updated_at: now,
  };
  const { name: room_name, time_zone, reminder_hours } = room;
  const changed: BookingRow = {
    ...booking,
    ...changes,
    ...(move && { room_name, time_zone, reminder_hours }),
  };
  if (move) await claimSlot(tx, booking.id, move);
  await tx.update(Booking, { id: booking.id }, changes);
  const returned = booking.hour_credits_used - changed.hour_credits_used;
  await returnHourCredits(tx, { ...booking, hour_credits_used: returned });
  if (move) await releaseOtherSlots(tx, booking.id);
  await recordBookingEvent(tx, 'booking.updated', changed, previousOf(booking, changed));
  if (move) {
    const { workspace_id, id: booking_id } = booking;
    const delay_ms = untilRefunded(refundIds);
    await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_changed', about, delay_ms });
  }
  await auditChange(tx, booking, changed, move, actor);
  return changed;
}

/**
 * Records who changed a booking: its time, length, room or extras, and with them its
 * price, or only its details.
 */
async function auditChange(
  tx: Tx,
  before: BookingRow,
  after: BookingRow,
  move: Move | null,
  actor: ChangeActor,
): Promise<void> {
  const by = { ...actor, workspace_id: before.workspace_id };
  const object = before.id;
  const names = BOOKING_DETAILS.filter((name) => before[name] !== after[name]);
  const detailsIn = (booking: BookingRow) => Object.fromEntries(names.map((name) => [name, booking[name]]));
  if (!move) {
    const details = { before: detailsIn(before), after: detailsIn(after) };
    return audit(tx, by, { action: 'booking.details_changed', object, details });
  }
  const changesExtras = !sameExtras(extrasIn(before), extrasIn(after));
  const shown = (booking: BookingRow) => ({
    ...(before.room_id !== after.room_id && { room: booking.room_name }),
    start_at: booking.start_at,
    end_at: booking.end_at,
    ...(changesExtras && { extras: presentExtras(booking) }),
    price_minor: booking.price_minor,
    ...detailsIn(booking),
  });
  const details = { before: shown(before), after: shown(after), currency: before.currency };
  const action = changesPlace(before, move) ? 'booking.moved' : 'booking.extras_changed';
  await audit(tx, by, { action, object, details });
}

/** The fields whose values changed, with their old values. */
function previousOf(before: BookingRow, after: BookingRow): Record<string, unknown> {
  const now: Record<string, unknown> = presentBooking(after);
  const changed = Object.entries(presentBooking(before)).filter(
    ([field, value]) => field !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(now[field]),
  );
  return Object.fromEntries(changed);
}
