import type { KeyKind, KeyScope } from '../../../domain/api-keys/key-scope.js';
import type { Role } from '../../../domain/policies.js';
import { isId } from '../../ids.js';
import { many, maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A key with its member's current role, its token, and the previous token while that is still live. */
export interface ApiKeyRow extends KeyScope {
  id: string;
  workspace_id: string;
  member_id: string;
  role: Role;
  name: string;
  kind: KeyKind;
  public_token: string | null;
  origins: string[];
  room_ids: string[] | null;
  fingerprint: string;
  prefix: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** The latest use of either token, accurate to the minute. */
  last_used_at: Date | null;
  previous_fingerprint: string | null;
  previous_expires_at: Date | null;
  previous_last_used_at: Date | null;
}

/** Lists a workspace's keys, newest first, including revoked and expired ones. */
export function listApiKeys(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<ApiKeyRow[]> {
  return many<ApiKeyRow>(
    tx,
    `
      SELECT k.id, k.workspace_id, k.member_id, m.role, k.name, k.kind, k.public_token, k.origins, k.room_ids,
        k.resources, k.actions,
             k.ip_allowlist::text[] AS ip_allowlist, k.created_at, k.expires_at, k.revoked_at,
             t.fingerprint, t.prefix, previous.fingerprint AS previous_fingerprint,
             previous.ends_at AS previous_expires_at, previous.last_used_at AS previous_last_used_at,
             (SELECT max(last_used_at) FROM api_tokens WHERE key_id = k.id) AS last_used_at
      FROM api_keys k JOIN members m ON m.id = k.member_id
        JOIN api_tokens t ON t.key_id = k.id AND t.ends_at IS NULL
        LEFT JOIN LATERAL previous_token(k) previous ON true
     WHERE k.workspace_id = $1 AND ($2::timestamptz IS NULL OR (k.created_at, k.id) < ($2, $3))
     ORDER BY k.created_at DESC, k.id DESC LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** Returns the names of keys, and of the applications that act through a grant, by id. */
export async function findKeyNames(tx: Tx, workspaceId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await many<{ id: string; name: string }>(
    tx,
    `SELECT id, name FROM api_keys WHERE workspace_id = $1 AND id = ANY ($2)`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns a key of a workspace, or null. */
export async function findApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  if (!isId('key', id)) return null;
  return maybeOne<ApiKeyRow>(
    tx,
    `
    SELECT k.id, k.workspace_id, k.member_id, m.role, k.name, k.kind, k.public_token, k.origins, k.room_ids,
      k.resources, k.actions,
           k.ip_allowlist::text[] AS ip_allowlist, k.created_at, k.expires_at, k.revoked_at,
           t.fingerprint, t.prefix, previous.fingerprint AS previous_fingerprint,
           previous.ends_at AS previous_expires_at, previous.last_used_at AS previous_last_used_at,
           (SELECT max(last_used_at) FROM api_tokens WHERE key_id = k.id) AS last_used_at
    FROM api_keys k JOIN members m ON m.id = k.member_id
      JOIN api_tokens t ON t.key_id = k.id AND t.ends_at IS NULL
      LEFT JOIN LATERAL previous_token(k) previous ON true
    WHERE k.id = $1 AND k.workspace_id = $2`,
    [id, workspaceId],
  );
}

/** A completed rotation: the new token's fingerprint, and when it and the previous token end. */
export interface Rotation {
  fingerprint: string;
  previous_expires_at: Date;
  expires_at: Date;
}

/** Returns a rotation that has completed, or null. */
export function findRotation(
  tx: Tx,
  workspaceId: string,
  keyId: string,
  rotationId: string,
): Promise<Rotation> {
  return one<Rotation>(
    tx,
    `SELECT t.fingerprint, least(previous.ends_at, k.expires_at) AS previous_expires_at, k.expires_at
     FROM api_tokens t JOIN api_keys k ON k.id = t.key_id
       JOIN api_tokens previous ON previous.hash = t.replaces
     WHERE t.workspace_id = $1 AND t.key_id = $2 AND t.rotation_id = $3`,
    [workspaceId, keyId, rotationId],
  );
}

/** Returns whether sites of an origin may use any live publishable key. */
export const isOriginOfSites = async (tx: Tx, origin: string): Promise<boolean> =>
  (await maybeOne(
    tx,
    `SELECT 1 FROM api_keys WHERE kind = 'publishable' AND origins @> ARRAY[$1::text] AND revoked_at IS NULL
      LIMIT 1`,
    [origin],
  )) !== null;
