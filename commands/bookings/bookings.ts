import type { EventType } from '../../domain/events/types.js';
import type { Principal } from '../../domain/policies.js';
import { noSuchBooking, seesBooking } from '../../domain/bookings/visibility.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import { isId } from '../../db/ids.js';
import { execute, maybeOne } from '../../db/query.js';
import { Booking } from '../../db/entities/bookings.js';
import type { Tx } from '../../db/transaction.js';
import { insertEvent } from '../events/events.js';
import { findBooking, type BookingRow } from '../../db/queries/bookings/booking.js';

const LOCK_BOOKING = {
  name: 'lock_booking',
  text: `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
    FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1 FOR NO KEY UPDATE OF b`,
};

/** Returns a booking, locked until the transaction ends. Every change of a booking takes this lock first. */
export function lockBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  return maybeOne<BookingRow>(tx, LOCK_BOOKING, [id]);
}

/**
 * Returns a published booking that the caller may see. `id`: as sent in a request. Errors: 404
 * `booking_not_found`.
 */
export async function findWorkspaceBooking(
  tx: Tx,
  caller: Pick<Principal, 'workspace_id' | 'role' | 'member_id'>,
  id: string,
): Promise<BookingRow> {
  const booking = isId('bk', id) ? await findBooking(tx, caller.workspace_id, id) : null;
  if (!booking || !seesBooking(caller, booking)) throw noSuchBooking();
  return booking;
}

/** Does the same and locks the booking. */
export async function lockWorkspaceBooking(tx: Tx, caller: Principal, id: string): Promise<BookingRow> {
  await findWorkspaceBooking(tx, caller, id);
  return (await lockBooking(tx, id))!;
}

/** Changes of a booking, except of its slot, which only changes together with its claim. */
export type BookingChanges = Partial<
  Omit<Booking, 'id' | 'room_id' | 'start_at' | 'end_at' | 'occupies' | 'live_room_id'>
>;

/** Stores changes of a locked booking. Returns the changed booking. */
export async function updateBooking(
  tx: Tx,
  booking: BookingRow,
  changes: BookingChanges,
): Promise<BookingRow> {
  await tx.update(Booking, { id: booking.id }, changes);
  return { ...booking, ...changes };
}

/** Releases all slots and extras that a booking holds. */
export async function releaseSlots(tx: Tx, bookingId: string): Promise<void> {
  await execute(
    tx,
    `WITH extras AS (DELETE FROM extra_claims WHERE booking_id = $1)
     DELETE FROM slot_claims WHERE booking_id = $1`,
    [bookingId],
  );
}

/** Stores an event with the state of a locked booking. The event's time is the booking's `updated_at`. */
export async function recordBookingEvent(
  tx: Tx,
  type: EventType,
  booking: BookingRow,
  previous?: Record<string, unknown>,
): Promise<void> {
  const { workspace_id, updated_at: created_at } = booking;
  await insertEvent(tx, { type, workspace_id, object: presentBooking(booking), previous, created_at });
}
