import type { Move } from '../../domain/booking-change.js';
import { slotUnavailable } from '../../domain/slots.js';
import { execute, exists, many } from '../../db/query.js';
import { timeRange } from '../../db/time-range.js';
import type { Tx } from '../../db/transaction.js';
import { ABANDONED } from '../../db/queries/bookings/abandoned.js';
import { releaseReservation } from './release-reservation.js';

/**
 * Throws if a blackout or another booking takes the slot. Releases abandoned reservations in it.
 * Errors: 409 `slot_unavailable`.
 */
export async function assertSlotFree(tx: Tx, bookingId: string, move: Move): Promise<void> {
  const blackout = await exists(
    tx,
    `SELECT FROM blackouts WHERE room_id = $1 AND during && $2::tstzrange LIMIT 1`,
    [move.room_id, timeRange(move.start_at, move.end_at)],
  );
  if (blackout) throw slotUnavailable('blackout');
  const others = await many<{ id: string; abandoned: boolean }>(
    tx,
    `SELECT bookings.id, (${ABANDONED}) AS abandoned FROM slot_claims c JOIN bookings ON bookings.id = c.booking_id
     WHERE c.room_id = $1 AND c.during && $2::tstzrange AND c.booking_id <> $3`,
    [move.room_id, timeRange(move.start_at, move.occupied_until), bookingId],
  );
  if (others.some((other) => !other.abandoned)) throw slotUnavailable('booked');
  for (const { id } of others) {
    // Not released: it was published after it was read.
    if (!(await releaseReservation(tx, id, 'abandoned'))) throw slotUnavailable('booked');
  }
}

/**
 * Claims the slot that a booking moves to, beside those that it holds. A claim that it holds already stays. The only
 * arbiter is the claim itself: an overlap with another booking violates the exclusion constraint and must not be ignored.
 * Errors: 409 `slot_unavailable`.
 */
export async function claimSlot(tx: Tx, bookingId: string, move: Move): Promise<void> {
  const during = timeRange(move.start_at, move.occupied_until);
  await execute(
    tx,
    `INSERT INTO slot_claims (booking_id, room_id, during) VALUES ($1, $2, $3)
     ON CONFLICT (booking_id, room_id, during) DO NOTHING`,
    [bookingId, move.room_id, during],
  );
}

/** Releases a booking's slots except the one in its row. */
export async function releaseOtherSlots(tx: Tx, bookingId: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM slot_claims c USING bookings b
     WHERE b.id = $1 AND c.booking_id = b.id AND (c.room_id, c.during) IS DISTINCT FROM (b.room_id, b.occupies)`,
    [bookingId],
  );
}
