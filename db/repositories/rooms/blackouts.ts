import type { Tx } from '../../transaction.js';

/** A time in which a room can't be booked: `[start_at, end_at)`. */
export interface BlackoutRow {
  id: string;
  start_at: Date;
  end_at: Date;
  reason: string | null;
  created_at: Date;
}

const COLUMNS = `id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at`;

/**
 * Stores a blackout, unless bookings stand in its way; `force` leaves those standing. Returns their ids, and the
 * blackout where it was stored. Takes the room's row, as each new booking does, so that neither misses the other.
 */
export async function insertBlackout(
  tx: Tx,
  blackout: {
    id: string;
    workspace_id: string;
    room_id: string;
    start_at: Date;
    end_at: Date;
    reason: string | null;
    force: boolean;
  },
): Promise<{ blackout: BlackoutRow | null; bookings: string[] }> {
  await tx.query(`SELECT FROM rooms WHERE id = $1 FOR UPDATE`, [blackout.room_id]);
  const { room_id, start_at, end_at } = blackout;
  const bookings = await findStanding(tx, room_id, blackout);
  if (bookings.length > 0 && !blackout.force) return { blackout: null, bookings };
  const [row] = await tx.query(
    `INSERT INTO blackouts (id, workspace_id, room_id, during, reason)
     VALUES ($1, $2, $3, tstzrange($4, $5), $6) RETURNING ${COLUMNS}`,
    [blackout.id, blackout.workspace_id, room_id, start_at, end_at, blackout.reason],
  );
  return { blackout: row, bookings };
}

/** The live bookings that stand in a time of a room, by their start. */
export async function findStanding(
  tx: Tx,
  roomId: string,
  { start_at, end_at }: Pick<BlackoutRow, 'start_at' | 'end_at'>,
): Promise<string[]> {
  const standing: { id: string }[] = await tx.query(
    `SELECT b.id FROM slot_claims c JOIN bookings b ON b.id = c.booking_id
     WHERE c.room_id = $1 AND c.during && tstzrange($2, $3) AND b.live_room_id IS NOT NULL
       -- A booking that is moving here has no other time in this room than its claim's; one that is here has its own.
       AND (b.room_id <> $1 OR b.occupies <> c.during OR tstzrange(b.start_at, b.end_at) && tstzrange($2, $3))
     ORDER BY b.start_at`,
    [roomId, start_at, end_at],
  );
  return standing.map((row) => row.id);
}

/** A blackout of a room, or null. */
export async function findBlackout(tx: Tx, roomId: string, id: string): Promise<BlackoutRow | null> {
  const rows = await tx.query(`SELECT ${COLUMNS} FROM blackouts WHERE id = $1 AND room_id = $2`, [
    id,
    roomId,
  ]);
  return rows[0] ?? null;
}

/** A room's blackouts, past ones too, by start and id. */
export function listBlackouts(
  tx: Tx,
  filter: { room_id: string; after?: { start_at: string; id: string }; limit: number },
): Promise<BlackoutRow[]> {
  return tx.query(
    `SELECT ${COLUMNS} FROM blackouts
     WHERE room_id = $1 AND ($2::timestamptz IS NULL OR (lower(during), id) > ($2, $3))
     ORDER BY lower(during), id LIMIT $4`,
    [filter.room_id, filter.after?.start_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** Removes a blackout. Returns what it was, or null if the room has no such one. */
export async function deleteBlackout(tx: Tx, roomId: string, id: string): Promise<BlackoutRow | null> {
  const [rows]: [BlackoutRow[], number] = await tx.query(
    `DELETE FROM blackouts WHERE id = $1 AND room_id = $2 RETURNING ${COLUMNS}`,
    [id, roomId],
  );
  return rows[0] ?? null;
}
