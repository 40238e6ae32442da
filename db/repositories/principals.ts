import type { Principal, Role, ScopeAction, ScopeResource } from '../../domain/policies.js';
import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** The live token behind a hash, with its issuer as they are now, or null (decisions.md, "Credentials"). */
export async function findPrincipal(tx: Tx, tokenHash: Buffer): Promise<Principal | null> {
  const rows: Principal[] = await tx.query(
    `SELECT k.id AS key_id, k.workspace_id, k.member_id, m.profile_id, m.role, k.resources, k.actions
     FROM api_keys k JOIN members m ON m.id = k.member_id
     WHERE k.token_hash = $1 AND k.revoked_at IS NULL AND k.expires_at > now() AND m.status <> 'archived'`,
    [tokenHash],
  );
  return rows[0] ?? null;
}

/** Whether a workspace has a member, archived or not. */
export async function memberExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(`SELECT FROM members WHERE id = $1 AND workspace_id = $2`, [
    id,
    workspaceId,
  ]);
  return rows.length > 0;
}

/** Stores a key by its token's hash. */
export async function insertApiKey(
  tx: Tx,
  key: {
    workspace_id: string;
    member_id: string;
    name: string;
    token: { hash: Buffer; fingerprint: string; prefix: string };
    resources: ScopeResource[];
    actions: ScopeAction[];
    expires_at: Date;
  },
): Promise<string> {
  const id = newId('key');
  await tx.query(
    `INSERT INTO api_keys (id, workspace_id, member_id, name, token_hash, fingerprint, key_prefix, resources, actions,
                           expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      key.workspace_id,
      key.member_id,
      key.name,
      key.token.hash,
      key.token.fingerprint,
      key.token.prefix,
      key.resources,
      key.actions,
      key.expires_at,
    ],
  );
  return id;
}

/** Adds a person to a workspace as an active member; the profile is shared by mail address. Returns the member's id. */
export async function insertMember(
  tx: Tx,
  member: {
    workspace_id: string;
    email: string;
    name: string;
    role: Role;
    tier: string;
    company_id?: string | null;
  },
): Promise<string> {
  const [profile] = await tx.query(
    `INSERT INTO profiles (id, email, name) VALUES ($1, $2, $3)
     ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id`,
    [newId('prof'), member.email, member.name],
  );
  const id = newId('mem');
  await tx.query(
    `INSERT INTO members (id, workspace_id, profile_id, company_id, role, tier, status, joined_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'active', now())`,
    [id, member.workspace_id, profile.id, member.company_id ?? null, member.role, member.tier],
  );
  return id;
}
