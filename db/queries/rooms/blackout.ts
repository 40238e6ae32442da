import { column, many, maybeOne } from '../../query.js';
import type { Blackout } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';

/** A period in which a room cannot be booked: `[start_at, end_at)`. */
export type BlackoutRow = Pick<Blackout, 'id' | 'reason' | 'created_at'> & {
  start_at: Date;
  end_at: Date;
};

/** The columns of a `BlackoutRow`. */
export const BLACKOUT_COLUMNS = `id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at`;

/** A blackout of a room, or null. */
export function findBlackout(tx: Tx, roomId: string, id: string): Promise<BlackoutRow | null> {
  return maybeOne<BlackoutRow>(
    tx,
    `SELECT ${BLACKOUT_COLUMNS} FROM blackouts WHERE id = $1 AND room_id = $2`,
    [id, roomId],
  );
}

/** A room's blackouts by start and id, including past ones unless `ending_after` is set. */
export function listBlackouts(
  tx: Tx,
  filter: { room_id: string; ending_after?: Date; after?: { start_at: string; id: string }; limit: number },
): Promise<BlackoutRow[]> {
  return many<BlackoutRow>(
    tx,
    `SELECT ${BLACKOUT_COLUMNS} FROM blackouts
     WHERE room_id = $1 AND ($2::timestamptz IS NULL OR (lower(during), id) > ($2, $3))
       AND ($5::timestamptz IS NULL OR upper(during) > $5)
     ORDER BY lower(during), id LIMIT $4`,
    [
      filter.room_id,
      filter.after?.start_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      filter.ending_after ?? null,
    ],
  );
}

/** The blackouts of some rooms in a period, by start. */
export function listBlackoutsDuring(
  tx: Tx,
  { room_ids, from, to }: { room_ids: string[]; from: Date; to: Date },
): Promise<(BlackoutRow & { room_id: string })[]> {
  return many<BlackoutRow & { room_id: string }>(
    tx,
    `SELECT room_id, ${BLACKOUT_COLUMNS} FROM blackouts
     WHERE room_id = ANY ($1::uuid[]) AND during && tstzrange($2, $3) ORDER BY lower(during), id`,
    [room_ids, from, to],
  );
}

/** The live bookings of a room in a period, by start. */
export function findBookingsDuring(
  tx: Tx,
  roomId: string,
  { start_at, end_at }: Pick<BlackoutRow, 'start_at' | 'end_at'>,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT b.id FROM slot_claims c JOIN bookings b ON b.id = c.booking_id
     WHERE c.room_id = $1 AND c.during && tstzrange($2, $3) AND b.live_room_id IS NOT NULL
       -- A booking that is moving to this room has only a claim here. For others, their time without turnaround counts.
       AND (b.room_id <> $1 OR b.occupies <> c.during OR tstzrange(b.start_at, b.end_at) && tstzrange($2, $3))
     ORDER BY b.start_at`,
    [roomId, start_at, end_at],
  );
}
