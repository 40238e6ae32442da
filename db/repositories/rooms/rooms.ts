import type { Room } from '../../entities/index.js';
import type { Tx } from '../../transaction.js';
import { Room as RoomEntity } from '../../entities/index.js';
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
  return tx.getRepository(RoomEntity).findOneBy({ id, workspace_id: workspaceId });
}

/** Rooms of a workspace, locked in one order, so that two changes that swap them take turns. */
export async function lockRooms(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, Room>> {
  const rooms: Room[] = await tx.query(
    `SELECT * FROM rooms WHERE id = ANY ($2) AND workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
  return new Map(rooms.map((room) => [room.id, room]));
}

/** Stores a room and gives it back. */
export async function insertRoom(
  tx: Tx,
  room: Omit<Room, 'id' | 'created_at' | 'updated_at'> & { id?: string },
): Promise<Room> {
  const at = new Date();
  return tx
    .getRepository(RoomEntity)
    .save({ ...room, id: room.id ?? newUuid(), created_at: at, updated_at: at });
}

/** Changes a room and gives it back. Bookings keep the price and the turnaround they were made with. */
export async function updateRoom(tx: Tx, id: string, changes: Partial<Room>): Promise<Room> {
  await tx.getRepository(RoomEntity).update({ id }, { ...changes, updated_at: new Date() });
  return tx.getRepository(RoomEntity).findOneByOrFail({ id });
}
