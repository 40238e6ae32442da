import { newUuid } from '../../db/ids.js';
import { many } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { Room } from '../../db/entities/rooms.js';
import { withLeaves } from '../../db/queries/rooms/parts.js';
import type { Tx } from '../../db/transaction.js';

/** Rooms of a workspace and their leaves, locked in order of id, so that two changes between the same rooms cannot deadlock. */
export async function lockRooms(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, Room>> {
  const rooms = await many<Room>(
    tx,
    `SELECT * FROM rooms WHERE id = ANY ${withLeaves('$2::uuid[]')} AND workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
  return new Map(rooms.map((room) => [room.id, room]));
}

/** Stores a room and returns it. */
export function insertRoom(
  tx: Tx,
  room: Omit<Room, 'id' | 'created_at' | 'updated_at' | 'rates' | 'rate_version'> & { id?: string },
): Promise<Room> {
  return insertReturning(tx, Room, { ...room, id: room.id ?? newUuid() });
}

/** Changes a room and returns it. Existing bookings keep their price and turnaround. */
export async function updateRoom(tx: Tx, id: string, changes: Partial<Room>): Promise<Room> {
  await tx.update(Room, { id }, { ...changes, updated_at: NOW });
  return tx.findOneByOrFail(Room, { id });
}
