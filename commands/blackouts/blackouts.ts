import { execute, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { Blackout } from '../../db/entities/rooms.js';
import { timeRange } from '../../db/time-range.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import type { Tx } from '../../db/transaction.js';
import { assertFewBlackouts } from '../workspaces/quotas.js';
import { withLeaves } from '../../db/queries/rooms/parts.js';
import {
  BLACKOUT_COLUMNS,
  findAbandonedDuring,
  findBookingsDuring,
  type BlackoutRow,
} from '../../db/queries/blackouts/blackout.js';
import { releaseReservation } from '../bookings/release-reservation.js';

type NewBlackout = Omit<Blackout, 'during' | 'created_at'> & { start_at: Date; end_at: Date; force: boolean };

/**
 * Stores a blackout unless there are bookings in its period; `force` stores it anyway and leaves the bookings
 * unchanged. Returns their ids, and the blackout if it was stored. Abandoned reservations are released. Locks the rows of the room and its leaves, as each new
 * booking does, so that each sees the other. Errors: 409 `limit_reached`.
 */
export async function insertBlackout(
  tx: Tx,
  quotas: Quotas,
  blackout: NewBlackout,
): Promise<{ blackout: BlackoutRow | null; bookings: string[] }> {
  const { start_at, end_at, force, ...row } = blackout;
  await execute(
    tx,
    `SELECT FROM rooms WHERE id = ANY ${withLeaves('ARRAY[$1::uuid]')} ORDER BY id FOR UPDATE`,
    [row.room_id],
  );
  for (const id of await findAbandonedDuring(tx, row.room_id, blackout))
    await releaseReservation(tx, id, 'abandoned');
  const bookings = await findBookingsDuring(tx, row.room_id, blackout);
  if (bookings.length > 0 && !force) return { blackout: null, bookings };
  if (end_at > new Date()) await assertFewBlackouts(tx, quotas, row.room_id);
  const stored = await insertReturning(tx, Blackout, { ...row, during: timeRange(start_at, end_at) });
  return { blackout: { ...stored, start_at, end_at }, bookings };
}

/** Deletes a blackout and returns it; null if the room has no such blackout. */
export function deleteBlackout(tx: Tx, roomId: string, id: string): Promise<BlackoutRow | null> {
  return maybeOne<BlackoutRow>(
    tx,
    `DELETE FROM blackouts WHERE id = $1 AND room_id = $2 RETURNING ${BLACKOUT_COLUMNS}`,
    [id, roomId],
  );
}
