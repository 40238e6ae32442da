import { column, many, maybeOne } from '../../query.js';
import type { Blackout, BlackoutBooking } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';

/** A period in which a room cannot be booked: `[start_at, end_at)`. */
export type BlackoutRow = Pick<Blackout, 'id' | 'reason' | 'created_at'> & {
  start_at: Date;
  end_at: Date;
};

/** Returns a blackout of a room, or null. */
export function findBlackout(tx: Tx, roomId: string, id: string): Promise<BlackoutRow | null> {
  return maybeOne<BlackoutRow>(
    tx,
    `SELECT id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at FROM blackouts
      WHERE id = $1 AND room_id = $2`,
    [id, roomId],
  );
}

/** Lists a room's blackouts by start and id, including past ones unless `ending_after` is set. */
export function listBlackouts(
  tx: Tx,
  filter: { room_id: string; ending_after?: Date; after?: { start_at: string; id: string }; limit: number },
): Promise<BlackoutRow[]> {
  return many<BlackoutRow>(
    tx,
    `SELECT id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at FROM blackouts
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

/** A blackout that closes a room: its own, or `of` a room that shares a part with it. */
export type ClosingBlackout = BlackoutRow & { room_id: string; of: { room_id: string; name: string } | null };

/**
 * Lists the blackouts that close some rooms in a period, by start. A blackout that closes several of them is
 * listed for each.
 */
export function listBlackoutsDuring(
  tx: Tx,
  { room_ids, from, to }: { room_ids: string[]; from: Date; to: Date },
): Promise<ClosingBlackout[]> {
  return many<ClosingBlackout>(
    tx,
    `SELECT closed.room_id, id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at,
            CASE WHEN closer <> closed.room_id
              THEN (SELECT jsonb_build_object('room_id', rooms.id, 'name', name) FROM rooms
                WHERE rooms.id = closer) END AS of
     FROM (SELECT id AS room_id, id AS closer FROM unnest($1::uuid[]) AS id
           UNION SELECT own.id, other.room_id
             FROM unnest($1::uuid[]) AS own (id), rooms_sharing(own.id) other) AS closed
     JOIN blackouts ON blackouts.room_id = closer AND during && tstzrange($2, $3)
     ORDER BY lower(during), blackouts.id`,
    [room_ids, from, to],
  );
}

/** Returns the rooms that a blackout of a room closes: itself, and those that share a part with it. */
export const listClosedRooms = async (tx: Tx, roomId: string): Promise<Set<string>> =>
  new Set([roomId, ...(await column<string>(tx, `SELECT room_id FROM rooms_sharing($1)`, [roomId]))]);

type Period = Pick<BlackoutRow, 'start_at' | 'end_at'>;

/**
 * Returns the live bookings in a period of a room and of rooms that share a part with it, by start, without
 * abandoned reservations.
 */
export const findBookingsDuring = (tx: Tx, roomId: string, period: Period): Promise<string[]> =>
  findLiveDuring(tx, roomId, period, false);

/** Returns the abandoned reservations among them. */
export const findAbandonedDuring = (tx: Tx, roomId: string, period: Period): Promise<string[]> =>
  findLiveDuring(tx, roomId, period, true);

function findLiveDuring(
  tx: Tx,
  roomId: string,
  { start_at, end_at }: Period,
  abandoned: boolean,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT bookings.id
     FROM (SELECT booking_id, room_id, during FROM slot_claims WHERE room_id = $1
       AND during && tstzrange($2, $3)
           UNION ALL
           SELECT c.booking_id, c.room_id, c.during FROM part_claims_of($1, tstzrange($2, $3)) c) AS c
     JOIN bookings ON bookings.id = c.booking_id
     WHERE bookings.live_room_id IS NOT NULL AND is_abandoned(bookings) = $4
       -- A booking that is moving to this room has only a claim here. For others, their time
       -- without turnaround counts.
       AND (bookings.room_id <> c.room_id OR bookings.occupies <> c.during
            OR tstzrange(bookings.start_at, bookings.end_at) && tstzrange($2, $3))
     GROUP BY bookings.id ORDER BY bookings.start_at`,
    [roomId, start_at, end_at, abandoned],
  );
}

/** Lists the plans for the bookings in the way of a blackout. */
export function listPlans(
  tx: Tx,
  { workspace_id, blackout_id }: { workspace_id: string; blackout_id: string },
): Promise<BlackoutBooking[]> {
  return many<BlackoutBooking>(
    tx,
    `SELECT * FROM blackout_bookings WHERE workspace_id = $1 AND blackout_id = $2 ORDER BY booking_id`,
    [workspace_id, blackout_id],
  );
}

/** A blackout with bookings whose plan is not done yet, and how many. */
export interface UnfinishedBlackout {
  id: string;
  room_id: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  bookings: number;
}

/** Lists the blackouts of a workspace, by start, with planned bookings that are still in their way. */
export function listUnfinishedBlackouts(tx: Tx, workspaceId: string): Promise<UnfinishedBlackout[]> {
  return many<UnfinishedBlackout>(
    tx,
    `SELECT o.id, o.room_id, r.name AS room_name, r.time_zone, lower(o.during) AS start_at,
      upper(o.during) AS end_at,
            count(*)::int AS bookings
     FROM blackout_bookings p
     JOIN blackouts o ON o.id = p.blackout_id
     JOIN rooms r ON r.id = o.room_id
     JOIN bookings b ON b.id = p.booking_id
     WHERE p.workspace_id = $1 AND p.state <> 'done' AND upper(o.during) > now()
       AND (b.live_room_id = o.room_id OR b.live_room_id IN (SELECT room_id FROM rooms_sharing(o.room_id)))
       AND tstzrange(b.start_at, b.end_at) && o.during
     GROUP BY o.id, r.id ORDER BY lower(o.during), o.id LIMIT 20`,
    [workspaceId],
  );
}
