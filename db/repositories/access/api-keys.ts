import type { KeyScope } from '../../../domain/key-scope.js';
import type { Principal } from '../../../domain/policies.js';
import { newId } from '../../ids.js';
import { execute, many, one } from '../../query.js';
import { insert, update, type Insert, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { findApiKey, type ApiKeyRow } from './api-key-queries.js';

/** A key of a workspace, locked until the transaction ends. Every change of a key takes this lock first. */
export async function lockApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  await execute(tx, `SELECT FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findApiKey(tx, workspaceId, id);
}

/** A token as it is stored: its SHA-256 and two shortened forms. */
type TokenRecord = Pick<Row<'api_tokens'>, 'hash' | 'fingerprint' | 'prefix'>;

/** Stores a key with its token. */
export async function insertApiKey(
  tx: Tx,
  key: Omit<Insert<'api_keys'>, 'id'> & { id?: string; token: TokenRecord },
): Promise<string> {
  const { token, ...columns } = key;
  const { hash, fingerprint, prefix } = token;
  const { id, workspace_id } = await insert(tx, 'api_keys', { ...columns, id: key.id ?? newId('key') });
  await insert(tx, 'api_tokens', { hash, fingerprint, prefix, workspace_id, key_id: id });
  return id;
}

/** Changes a key's name, scope and expiry. */
export async function updateApiKey(
  tx: Tx,
  id: string,
  changes: KeyScope & { name: string; expires_at: Date },
): Promise<void> {
  const { name, resources, actions, ip_allowlist, expires_at } = changes;
  await update(tx, 'api_keys', { id }, { name, resources, actions, ip_allowlist, expires_at });
}

/**
 * Gives a key a new token (docs/rules/credentials.md#rotation). The current one stays live for `graceSeconds`, but not
 * beyond the key's expiry; one that was in its grace period ends now. Returns when the old token ends.
 */
export async function rotateToken(
  tx: Tx,
  key: ApiKeyRow,
  token: TokenRecord & { rotation_id: string },
  graceSeconds: number,
): Promise<Date> {
  await execute(
    tx,
    `UPDATE api_tokens SET ends_at = date_trunc('milliseconds', now()) WHERE key_id = $1 AND ends_at > now()`,
    [key.id],
  );
  const previous = await one<{ ends_at: Date; hash: Buffer }>(
    tx,
    `UPDATE api_tokens SET ends_at = least(now() + $2 * interval '1 second', $3)
     WHERE key_id = $1 AND ends_at IS NULL RETURNING ends_at, hash`,
    [key.id, graceSeconds, key.expires_at],
  );
  const { hash, fingerprint, prefix, rotation_id } = token;
  await insert(tx, 'api_tokens', {
    hash,
    fingerprint,
    prefix,
    rotation_id,
    workspace_id: key.workspace_id,
    key_id: key.id,
    replaces: previous.hash,
  });
  return previous.ends_at;
}

/**
 * Revokes a workspace's keys, OAuth grants included: all, a given one, those of a member, those granted to a
 * client, or those of one grant.
 * Each newly revoked key gets an entry in the audit log. Returns their number.
 */
export async function revokeApiKeys(
  tx: Tx,
  by: Principal,
  only: { id?: string; member_id?: string; oauth_client_id?: string; oauth_grant_id?: string } = {},
): Promise<number> {
  const revoked = await many<{ id: string; oauth_client_id: string | null; fingerprint: string }>(
    tx,
    `UPDATE api_keys k SET revoked_at = now()
     WHERE k.workspace_id = $1 AND ($2::text IS NULL OR k.id = $2) AND ($3::text IS NULL OR k.member_id = $3)
       AND ($4::text IS NULL OR k.oauth_client_id = $4) AND ($5::text IS NULL OR k.oauth_grant_id = $5)
       AND k.revoked_at IS NULL
     RETURNING k.id, k.oauth_client_id,
       (SELECT t.fingerprint FROM api_tokens t WHERE t.key_id = k.id
        ORDER BY t.ends_at DESC NULLS FIRST LIMIT 1) AS fingerprint`,
    [
      by.workspace_id,
      only.id ?? null,
      only.member_id ?? null,
      only.oauth_client_id ?? null,
      only.oauth_grant_id ?? null,
    ],
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
