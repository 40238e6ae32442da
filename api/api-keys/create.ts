import { newId } from '../../db/ids.js';
import { findApiKey, findIssuerRole } from '../../db/repositories/access/api-key-queries.js';
import { insertApiKey } from '../../db/repositories/access/api-keys.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { assertWithinCaller, assertSomeScope, type KeyScope } from '../../domain/key-scope.js';
import type { Principal } from '../../domain/policies.js';
import { DAY } from '../../domain/time-zone.js';
import type { ApiDependencies } from '../app.js';
import { mintToken } from '../http/tokens.js';
import type { CreateBody } from './schema.js';

const DEFAULT_DAYS = 90;

/** What is shown of a key once: the token's plaintext, or null where the same create has shown it before. */
export interface MintedKey {
  id: string;
  token: string | null;
  fingerprint: string;
  created_at: string;
  expires_at: string;
}

/**
 * Makes a key for the caller, or for another member of at most the caller's role; with no more than the calling key's
 * own scope, which is also what it has where the body says nothing, and for 90 days (decisions.md, "Credentials").
 * Errors: 422 for what makes no scope; 403 `auth_scope_insufficient`, `role_insufficient`; 404 `member_not_found`.
 */
export async function createKey(
  { db }: ApiDependencies,
  caller: Principal,
  body: CreateBody,
  idempotency: IdempotencyKey | null,
): Promise<{ key: MintedKey; created: boolean }> {
  const { workspace_id } = caller;
  const { resources, actions, ip_allowlist } = caller;
  const scope: KeyScope = { resources, actions, ip_allowlist, ...body.scope };
  assertSomeScope(scope);
  const member_id = body.member_id ?? caller.member_id;
  const { token, record } = mintToken();
  return transaction(db, async (tx) => {
    const role = await findIssuerRole(tx, workspace_id, member_id);
    if (!role) throw new ApiError('member_not_found', 'There is no such member.', { param: 'member_id' });
    assertWithinCaller(caller, { ...scope, role });
    const id = newId('key');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const created = bound === id;
    if (created) {
      const { name, expires_at = new Date(Date.now() + DEFAULT_DAYS * DAY) } = body;
      await insertApiKey(tx, { id, workspace_id, member_id, name, token: record, ...scope, expires_at });
      const { fingerprint } = record;
      const details = { name, fingerprint, member_id, scope, expires_at: expires_at.toISOString() };
      await audit(tx, caller, { action: 'api_key.created', object: id, details });
    }
    const key = (await findApiKey(tx, workspace_id, bound))!;
    return {
      created,
      key: {
        id: key.id,
        token: created ? token : null,
        fingerprint: key.fingerprint,
        created_at: key.created_at.toISOString(),
        expires_at: key.expires_at.toISOString(),
      },
    };
  });
}
