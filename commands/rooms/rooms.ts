import { newUuid } from '../../db/ids.js';
import { many } from '../../db/query.js';
import type { Room } from '../../db/rows.js';
import { insert, NOW, repository, update, type Changes } from '../../db/tables.js';
import type { Tx } from '../../db/transaction.js';

/** Rooms of a workspace, locked in order of id, so that two changes between the same rooms cannot deadlock. */
export async function lockRooms(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, Room>> {
  const rooms = await many<Room>(
    tx,
    `SELECT * FROM rooms WHERE id = ANY ($2) AND workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
  return new Map(rooms.map((room) => [room.id, room]));
}

/** Stores a room and returns it. */
export function insertRoom(
  tx: Tx,
  room: Omit<Room, 'id' | 'created_at' | 'updated_at'> & { id?: string },
): Promise<Room> {
  return insert(tx, 'rooms', { ...room, id: room.id ?? newUuid() });
}

/** Changes a room and returns it. Existing bookings keep their price and turnaround. */
export async function updateRoom(tx: Tx, id: string, changes: Changes<'rooms'>): Promise<Room> {
  await update(tx, 'rooms', { id }, { ...changes, updated_at: NOW });
  return repository(tx, 'rooms').findOneByOrFail({ id });
}
