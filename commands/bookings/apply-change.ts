import type { ChangePlan, Move } from '../../domain/booking-change.js';
import { detailsOf, sameDetails } from '../../domain/booking-details.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import { Booking } from '../../db/entities/bookings.js';
import type { Room } from '../../db/entities/rooms.js';
import { timeRange } from '../../db/time-range.js';
import type { Tx } from '../../db/transaction.js';
import { capRefunds } from '../billing/refunds.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../workspaces/audit.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recordBookingEvent } from './bookings.js';
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
    refund_percent_cap: Math.min(before.refund_percent_cap, move.refund_percent),
  };
}

/** Applies a plan to a booking: details, slot, price, `booking.updated`, mail. Does nothing if nothing changes. */
export async function applyPlan(
  tx: Tx,
  booking: BookingRow,
  room: Room,
  plan: ChangePlan,
  { id: changeId, actor }: BookingChange,
): Promise<BookingRow> {
  const { move } = plan;
  if (!move && sameDetails(plan, booking)) return booking;
  const changes = {
    ...detailsOf(plan),
    ...(move && columnsOf(booking, move)),
    sequence: booking.sequence + 1,
    updated_at: new Date(),
  };
  const { name: room_name, time_zone } = room;
  const changed: BookingRow = { ...booking, ...changes, ...(move && { room_name, time_zone }) };
  if (move) await claimSlot(tx, booking.id, move);
  await tx.update(Booking, { id: booking.id }, changes);
  if (move) {
    await releaseOtherSlots(tx, booking.id);
    await capRefunds(tx, booking.id, move.refund_percent);
  }
  await recordBookingEvent(tx, 'booking.updated', changed, previousOf(booking, changed));
  if (move) {
    const { workspace_id, id: booking_id } = booking;
    await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_changed', about: changeId });
    await auditMove(tx, booking, changed, actor);
  }
  return changed;
}

/** Records who moved a booking or changed its length, and with it the price. */
async function auditMove(
  tx: Tx,
  before: BookingRow,
  after: BookingRow,
  actor: BookingChange['actor'],
): Promise<void> {
  const shown = ({ room_name, start_at, end_at, price_minor }: BookingRow) => ({
    ...(before.room_id !== after.room_id && { room: room_name }),
    start_at,
    end_at,
    price_minor,
  });
  const details = { before: shown(before), after: shown(after), currency: before.currency };
  const { workspace_id, id: object } = before;
  await audit(tx, { ...actor, workspace_id }, { action: 'booking.moved', object, details });
}

/** The fields whose values changed, with their old values. */
function previousOf(before: BookingRow, after: BookingRow): Record<string, unknown> {
  const now: Record<string, unknown> = presentBooking(after);
  const changed = Object.entries(presentBooking(before)).filter(
    ([field, value]) => field !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(now[field]),
  );
  return Object.fromEntries(changed);
}
