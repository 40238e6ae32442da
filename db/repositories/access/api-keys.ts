import type { KeyScope } from '../../../domain/key-scope.js';
import type { KeyResource, Principal, Role, ScopeAction } from '../../../domain/policies.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';

/** A key with its issuer's role as it is now, its token, and the token before while that one still works. */
export interface ApiKeyRow extends KeyScope {
  id: string;
  workspace_id: string;
  member_id: string;
  role: Role;
  name: string;
  fingerprint: string;
  prefix: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** Of either token, right to the minute. */
  last_used_at: Date | null;
  previous_fingerprint: string | null;
  previous_expires_at: Date | null;
  previous_last_used_at: Date | null;
}

const SELECT = `
  SELECT k.id, k.workspace_id, k.member_id, m.role, k.name, k.resources, k.actions,
         k.ip_allowlist::text[] AS ip_allowlist, k.created_at, k.expires_at, k.revoked_at,
         t.fingerprint, t.prefix, previous.fingerprint AS previous_fingerprint,
         previous.ends_at AS previous_expires_at, previous.last_used_at AS previous_last_used_at,
         (SELECT max(last_used_at) FROM api_tokens WHERE key_id = k.id) AS last_used_at
  FROM api_keys k JOIN members m ON m.id = k.member_id
    JOIN api_tokens t ON t.key_id = k.id AND t.ends_at IS NULL
    LEFT JOIN api_tokens previous ON previous.key_id = k.id AND previous.ends_at > now()`;

/** A workspace's keys, the newest first; revoked and expired ones, too. */
export function listApiKeys(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<ApiKeyRow[]> {
  return tx.query(
    `${SELECT}
     WHERE k.workspace_id = $1 AND ($2::timestamptz IS NULL OR (k.created_at, k.id) < ($2, $3))
     ORDER BY k.created_at DESC, k.id DESC LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** A key of a workspace. What was granted by OAuth is none. */
export async function findApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  const [key] = await tx.query(`${SELECT} WHERE k.id = $1 AND k.workspace_id = $2`, [id, workspaceId]);
  return key ?? null;
}

/** A key of a workspace, locked until the transaction ends: whoever changes a key holds this first. */
export async function lockApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  await tx.query(`SELECT FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findApiKey(tx, workspaceId, id);
}

/** Stores a key with its token, of which only the hash and the shortened forms are kept. */
export async function insertApiKey(
  tx: Tx,
  key: {
    id?: string;
    workspace_id: string;
    member_id: string;
    name: string;
    token: { hash: Buffer; fingerprint: string; prefix: string };
    resources: KeyResource[];
    actions: ScopeAction[];
    ip_allowlist?: string[];
    expires_at: Date;
  },
): Promise<string> {
  const { id = newId('key'), token } = key;
  await tx.query(
    `WITH key AS (
       INSERT INTO api_keys (id, workspace_id, member_id, name, resources, actions, ip_allowlist, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id, workspace_id)
     INSERT INTO api_tokens (hash, workspace_id, key_id, fingerprint, prefix)
     SELECT $9, workspace_id, id, $10, $11 FROM key`,
    [
      id,
      key.workspace_id,
      key.member_id,
      key.name,
      key.resources,
      key.actions,
      key.ip_allowlist ?? [],
      key.expires_at,
      token.hash,
      token.fingerprint,
      token.prefix,
    ],
  );
  return id;
}

/** Changes a key's name, scope and end. */
export async function updateApiKey(
  tx: Tx,
  id: string,
  changes: KeyScope & { name: string; expires_at: Date },
): Promise<void> {
  const { name, resources, actions, ip_allowlist, expires_at } = changes;
  await tx.query(
    `UPDATE api_keys SET name = $2, resources = $3, actions = $4, ip_allowlist = $5, expires_at = $6 WHERE id = $1`,
    [id, name, resources, actions, ip_allowlist, expires_at],
  );
}

/**
 * Gives a key a new token. The one it has goes on for `graceSeconds`, though never past the key's own end; one that was
 * in its grace already ends now. Returns until when the old token works.
 */
export async function rotateToken(
  tx: Tx,
  key: ApiKeyRow,
  token: { hash: Buffer; fingerprint: string; prefix: string; rotation_id: string },
  graceSeconds: number,
): Promise<Date> {
  await tx.query(
    `UPDATE api_tokens SET ends_at = date_trunc('milliseconds', now()) WHERE key_id = $1 AND ends_at > now()`,
    [key.id],
  );
  const [[{ ends_at, hash: replaces }]] = await tx.query(
    `UPDATE api_tokens SET ends_at = least(now() + $2 * interval '1 second', $3)
     WHERE key_id = $1 AND ends_at IS NULL RETURNING ends_at, hash`,
    [key.id, graceSeconds, key.expires_at],
  );
  await tx.query(
    `INSERT INTO api_tokens (hash, workspace_id, key_id, fingerprint, prefix, rotation_id, replaces)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [token.hash, key.workspace_id, key.id, token.fingerprint, token.prefix, token.rotation_id, replaces],
  );
  return ends_at;
}

/** What a rotation that took place has made: the token's short form, and until when it and the one before it work. */
export async function findRotation(
  tx: Tx,
  workspaceId: string,
  keyId: string,
  rotationId: string,
): Promise<{ fingerprint: string; previous_expires_at: Date; expires_at: Date }> {
  const [rotation] = await tx.query(
    `SELECT t.fingerprint, previous.ends_at AS previous_expires_at, k.expires_at
     FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN api_tokens previous ON previous.hash = t.replaces
     WHERE t.workspace_id = $1 AND t.key_id = $2 AND t.rotation_id = $3`,
    [workspaceId, keyId, rotationId],
  );
  return rotation;
}

/**
 * Ends a workspace's keys for ever, what was granted by OAuth too: all, the one that is named, those of a member, or what
 * was granted to an application. Each that wasn't revoked before gets its entry in the audit log (spec.md, "Audit log").
 * Returns how many there were.
 */
export async function revokeApiKeys(
  tx: Tx,
  by: Principal,
  only: { id?: string; member_id?: string; oauth_client_id?: string } = {},
): Promise<number> {
  const [revoked]: [{ id: string; oauth_client_id: string | null; fingerprint: string }[], number] =
    await tx.query(
      `UPDATE api_keys k SET revoked_at = now()
       WHERE k.workspace_id = $1 AND ($2::text IS NULL OR k.id = $2) AND ($3::text IS NULL OR k.member_id = $3)
         AND ($4::text IS NULL OR k.oauth_client_id = $4) AND k.revoked_at IS NULL
       RETURNING k.id, k.oauth_client_id,
         (SELECT t.fingerprint FROM api_tokens t WHERE t.key_id = k.id
          ORDER BY t.ends_at DESC NULLS FIRST LIMIT 1) AS fingerprint`,
      [by.workspace_id, only.id ?? null, only.member_id ?? null, only.oauth_client_id ?? null],
    );
  for (const { id: object, oauth_client_id: client_id, fingerprint } of revoked) {
    const details = { fingerprint, revoker_profile_id: by.profile_id };
    const entry = client_id
      ? { action: 'oauth_grant.revoked', details: { client_id, reason: 'revoked_by_member', ...details } }
      : { action: 'api_key.revoked', details };
    await audit(tx, by, { ...entry, object });
  }
  return revoked.length;
}

/** The role of a member who can be issued a key: one of the workspace who isn't archived. */
export async function issuerRole(tx: Tx, workspaceId: string, memberId: string): Promise<Role | null> {
  const [member] = await tx.query(
    `SELECT role FROM members WHERE id = $1 AND workspace_id = $2 AND status NOT IN ('archived', 'deleted')`,
    [memberId, workspaceId],
  );
  return member?.role ?? null;
}
