import type { ScopeAction, ScopeResource } from '../../domain/policies.js';
import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** Whether a workspace has a member, archived or not; an erased one it has not. */
export async function memberExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `SELECT FROM members WHERE id = $1 AND workspace_id = $2 AND status <> 'deleted'`,
    [id, workspaceId],
  );
  return rows.length > 0;
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
    resources: ScopeResource[];
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
