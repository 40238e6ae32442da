import type { Room } from '../../rows.js';
import type { Tx } from '../../transaction.js';
import { insert, NOW, repository, update, type Changes } from '../../tables.js';
import { newUuid } from '../../ids.js';

export interface RoomFilter {
  workspace_id: string;
  tier?: string;
  include_archived: boolean;
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's rooms in the order of their making. */
export async function listRooms(tx: Tx, filter: RoomFilter): Promise<Room[]> {
  return tx.query(
    `SELECT * FROM rooms
     WHERE workspace_id = $1 AND ($2 OR NOT archived) AND ($3::text IS NULL OR tiers IS NULL OR $3 = ANY (tiers))
       AND ($4::timestamptz IS NULL OR (created_at, id) > ($4, $5::uuid))
     ORDER BY created_at, id LIMIT $6`,
    [
      filter.workspace_id,
      filter.include_archived,
      filter.tier ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}

/** A room of a workspace, archived or not. */
export function findRoom(tx: Tx, workspaceId: string, id: string): Promise<Room | null> {
  return repository(tx, 'rooms').findOneBy({ id, workspace_id: workspaceId });
}

/** Rooms of a workspace, locked in one order, so that two changes that swap them take turns. */
export async function lockRooms(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, Room>> {
  const rooms: Room[] = await tx.query(
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

/** Changes a room and returns it. Bookings keep the price and the turnaround they were made with. */
export async function updateRoom(tx: Tx, id: string, changes: Changes<'rooms'>): Promise<Room> {
  await update(tx, 'rooms', { id }, { ...changes, updated_at: NOW });
  return repository(tx, 'rooms').findOneByOrFail({ id });
}
