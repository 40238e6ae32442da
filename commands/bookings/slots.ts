import { changesPlace, staysInSlot, type Move } from '../../domain/bookings/change.js';
import { shortageError } from '../../domain/extras/extras.js';
import { extrasIn } from '../../domain/rates/price-lines.js';
import { slotUnavailable } from '../../domain/bookings/slots.js';
import { execute, many, maybeOne, one } from '../../db/query.js';
import { timeRange } from '../../db/time-range.js';
import type { Tx } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { releaseReservation } from './release-reservation.js';

/**
 * Throws if a blackout or another booking occupies the slot. Releases abandoned reservations in it. Errors:
 * 409 `slot_unavailable`.
 */
export async function assertSlotFree(tx: Tx, bookingId: string, move: Move): Promise<void> {
  const { blackout } = await one<{ blackout: boolean }>(
    tx,
    `SELECT has_blackout($1::uuid, $2::tstzrange) AS blackout`,
    [move.room_id, timeRange(move.start_at, move.end_at)],
  );
  if (blackout) throw slotUnavailable('blackout');
  const others = await many<{ id: string; abandoned: boolean; reason: 'booked' | 'part_booked' }>(
    tx,
    `SELECT bookings.id, is_abandoned(bookings) AS abandoned, min(reason) AS reason
     FROM (SELECT booking_id, 'booked' AS reason FROM slot_claims WHERE room_id = $1
       AND during && $2::tstzrange
           UNION ALL
           SELECT c.booking_id, 'part_booked' FROM part_claims_of($1, $2::tstzrange) c) AS claims
     JOIN bookings ON bookings.id = claims.booking_id
     WHERE bookings.id <> $3 GROUP BY bookings.id ORDER BY reason`,
    [move.room_id, timeRange(move.start_at, move.occupied_until), bookingId],
  );
  const taken = others.find((other) => !other.abandoned);
  if (taken) throw slotUnavailable(taken.reason);
  for (const { id, reason } of others) {
    // It could not be released, because it was published after it was read.
    if (!(await releaseReservation(tx, id, 'abandoned'))) throw slotUnavailable(reason);
  }
}

/**
 * Throws if the place that a change needs is not free: its slot, unless time and room stay, or its extras.
 * The room and the extras are locked. Errors: those of `assertSlotFree`; 409 `extra_unavailable`.
 */
export async function assertPlaceFree(tx: Tx, booking: BookingRow, move: Move): Promise<void> {
  if (changesPlace(booking, move)) await assertSlotFree(tx, booking.id, move);
  const stays = staysInSlot(booking, move);
  const booked = new Map(extrasIn(booking).map(({ extra_id, quantity }) => [extra_id, quantity]));
  // Within its slot the booked extras stay, even if the stock was lowered below them.
  const extras = extrasIn({ pricing: move.pricing ?? null }).filter(
    ({ extra_id, quantity }) => !stays || quantity > (booked.get(extra_id) ?? 0),
  );
  if (extras.length === 0) return;
  const ids = extras.map(({ extra_id }) => extra_id);
  const during = timeRange(move.start_at, move.end_at);
  const abandoned = await many<{ id: string }>(
    tx,
    `SELECT DISTINCT bookings.id FROM extra_claims c JOIN bookings ON bookings.id = c.booking_id
     WHERE c.extra_id = ANY ($1) AND c.during && $2::tstzrange AND is_abandoned(bookings)`,
    [ids, during],
  );
  for (const { id } of abandoned) await releaseReservation(tx, id, 'abandoned');
  const short = await maybeOne<{ extra_id: string; available: number }>(
    tx,
    `SELECT e.id AS extra_id, greatest(0, e.stock - e.taken) AS available
     FROM (SELECT x.id, x.stock, wanted.quantity,
                  extra_taken(x.id, $3::tstzrange, ARRAY[$4]) AS taken
           FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, quantity)
           JOIN extras x ON x.id = wanted.id AND x.workspace_id = $5
           WHERE x.stock IS NOT NULL) e
     WHERE e.stock - e.taken < e.quantity ORDER BY e.id LIMIT 1`,
    [ids, extras.map(({ quantity }) => quantity), during, booking.id, booking.workspace_id],
  );
  if (short) throw shortageError(extras, short);
}

/**
 * Claims the slot and the extras to which a booking moves, in addition to those that it holds. A claim that
 * it already holds stays. The claim itself decides who gets the slot: an overlap with another booking
 * violates the exclusion constraint and must not be ignored. Errors: 409 `slot_unavailable`.
 */
export async function claimSlot(tx: Tx, bookingId: string, move: Move): Promise<void> {
  const during = timeRange(move.start_at, move.occupied_until);
  await execute(
    tx,
    `INSERT INTO slot_claims (booking_id, room_id, during) VALUES ($1, $2, $3)
     ON CONFLICT (booking_id, room_id, during) DO NOTHING`,
    [bookingId, move.room_id, during],
  );
  const extras = extrasIn({ pricing: move.pricing ?? null });
  if (extras.length === 0) return;
  await execute(
    tx,
    `INSERT INTO extra_claims (booking_id, extra_id, during, quantity)
     SELECT $1, id, $4, quantity FROM unnest($2::uuid[], $3::integer[]) AS wanted (id, quantity)
     ON CONFLICT DO NOTHING`,
    [
      bookingId,
      extras.map(({ extra_id }) => extra_id),
      extras.map(({ quantity }) => quantity),
      timeRange(move.start_at, move.end_at),
    ],
  );
}

/** Releases a booking's slots and extras except those in its row. */
export async function releaseOtherSlots(tx: Tx, bookingId: string): Promise<void> {
  await execute(
    tx,
    `WITH extras AS (
       DELETE FROM extra_claims c USING bookings b
       WHERE b.id = $1 AND c.booking_id = b.id AND NOT (c.during = tstzrange(b.start_at, b.end_at)
         AND EXISTS (
         SELECT FROM jsonb_to_recordset(b.pricing -> 'extras') AS e (extra_id uuid, quantity integer)
         WHERE e.extra_id = c.extra_id AND e.quantity = c.quantity)))
     DELETE FROM slot_claims c USING bookings b
     WHERE b.id = $1 AND c.booking_id = b.id AND (c.room_id, c.during) IS DISTINCT
       FROM (b.room_id, b.occupies)`,
    [bookingId],
  );
}
