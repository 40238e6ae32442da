import { isUuid } from '../../ids.js';
import { column, many, maybeOne } from '../../query.js';
import type { Extra } from '../../entities/extras.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { Tx } from '../../transaction.js';

export interface ExtraFilter {
  workspace_id: string;
  room_id?: string;
  include_archived: boolean;
  /** Excludes extras that only staff can book. */
  only_public: boolean;
  metadata?: Metadata;
  after?: { created_at: string; id: string };
  limit: number;
}

/** Lists a workspace's extras by creation time. */
export function listExtras(tx: Tx, filter: ExtraFilter): Promise<Extra[]> {
  return many<Extra>(
    tx,
    `SELECT * FROM extras
     WHERE workspace_id = $1 AND ($2 OR NOT archived) AND NOT ($3 AND internal)
       AND ($4::uuid IS NULL OR room_ids IS NULL OR $4 = ANY (room_ids))
       AND ($5::timestamptz IS NULL OR (created_at, id) > ($5, $6::uuid))
       AND has_metadata(metadata, $8)
     ORDER BY created_at, id LIMIT $7`,
    [
      filter.workspace_id,
      filter.include_archived,
      filter.only_public,
      filter.room_id ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      filter.metadata ?? null,
    ],
  );
}

/** Returns which of these extras only staff can book. */
export async function findInternal(tx: Tx, workspaceId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return column<string>(
    tx,
    `SELECT id FROM extras WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND internal`,
    [workspaceId, ids],
  );
}

/** Returns an extra of a workspace, archived or not; null if there is none with this id. */
export const findExtra = async (tx: Tx, workspaceId: string, id: string): Promise<Extra | null> =>
  isUuid(id)
    ? maybeOne<Extra>(tx, `SELECT * FROM extras WHERE id = $1 AND workspace_id = $2`, [id, workspaceId])
    : null;
