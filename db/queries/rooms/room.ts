import { isUuid } from '../../ids.js';
import { column, many } from '../../query.js';
import { Room } from '../../entities/rooms.js';
import { searchWords } from '../../search.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { Tx } from '../../transaction.js';

export interface RoomFilter {
  workspace_id: string;
  tier?: string;
  include_archived: boolean;
  metadata?: Metadata;
  after?: { created_at: string; id: string };
  /** By default all: the quota bounds them. */
  limit?: number;
}

/** Lists a workspace's rooms by creation time. */
export function listRooms(tx: Tx, filter: RoomFilter): Promise<Room[]> {
  return many<Room>(
    tx,
    `SELECT * FROM rooms
     WHERE workspace_id = $1 AND ($2 OR NOT archived) AND ($3::text IS NULL OR tiers IS NULL
       OR $3 = ANY (tiers))
       AND ($4::timestamptz IS NULL OR (created_at, id) > ($4, $5::uuid))
       AND has_metadata(metadata, $7)
     ORDER BY created_at, id LIMIT $6`,
    [
      filter.workspace_id,
      filter.include_archived,
      filter.tier ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit ?? null,
      filter.metadata ?? null,
    ],
  );
}

/** Lists the rooms of a workspace whose name contains these words, archived or not, by creation time. */
export function searchRooms(
  tx: Tx,
  { workspace_id, q, limit }: { workspace_id: string; q: string; limit: number },
): Promise<Room[]> {
  return many<Room>(
    tx,
    `SELECT r.* FROM rooms r WHERE r.workspace_id = $1 AND ($2::text[] IS NULL OR room_contains(r, $2))
     ORDER BY r.created_at, r.id LIMIT $3`,
    [workspace_id, searchWords(q), limit],
  );
}

/** Returns a room of a workspace, archived or not; null if there is none with this id. */
export const findRoom = async (tx: Tx, workspaceId: string, id: string): Promise<Room | null> =>
  isUuid(id) ? tx.findOneBy(Room, { id, workspace_id: workspaceId }) : null;

/** Returns those of the ids that no room of the workspace has. */
export const findMissingRooms = (tx: Tx, workspaceId: string, ids: string[]): Promise<string[]> =>
  column<string>(
    tx,
    `SELECT given.id FROM unnest($2::uuid[]) AS given (id)
     WHERE NOT EXISTS (SELECT FROM rooms r WHERE r.id = given.id AND r.workspace_id = $1)`,
    [workspaceId, ids],
  );
