import { many } from '../../query.js';
import type { Room } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';

/** Rooms that public guests may book: all that guests can book, or those of a list. */
export interface OfferedRooms {
  workspace_id: string;
  /** Null for all. */
  room_ids: string[] | null;
}

/** Lists the rooms that public guests may book, by creation time; with an id only that one. */
export const listOfferedRooms = (
  tx: Tx,
  { workspace_id, room_ids }: OfferedRooms,
  id: string | null = null,
): Promise<Room[]> =>
  many<Room>(
    tx,
    `SELECT * FROM rooms
     WHERE workspace_id = $1 AND NOT archived AND tiers IS NULL AND ($2::uuid[] IS NULL OR id = ANY ($2))
       AND ($3::uuid IS NULL OR id = $3)
     ORDER BY created_at, id LIMIT 500`,
    [workspace_id, room_ids, id],
  );
