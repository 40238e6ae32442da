import { newId } from '../../../db/ids.js';
import { assertRoomForKey, insertApiKey, lockIssueeRole } from '../../../commands/access/api-keys.js';
import { findApiKey } from '../../../db/queries/access/api-key.js';
import { bindKey, type IdempotencyKey } from '../../../commands/access/idempotency.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { assertSomeScope, assertWithinCaller, type KeyScope } from '../../../domain/key-scope.js';
import type { Principal } from '../../../domain/policies.js';
import { presentCreatedApiKey } from '../../../domain/presenters/api-key.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { mintToken } from '../../http/tokens.js';
import type { CreateBody } from './shape.js';

const DEFAULT_DAYS = 90;

type Deps = Pick<ApiDependencies, 'db'>;

/** `POST /v1/api-keys` */
export function create(deps: Deps): Handler<CreateBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { key, created } = await createKey(deps, principal, body, idempotencyOf(ctx));
    ctx.status = created ? 201 : 200;
    ctx.body = key;
  };
}

/**
 * Creates a key for the caller, or for another member whose role is no higher than the caller's
 * (docs/rules/credentials.md#scopes). Its scope never exceeds that of the calling key, which is also the default. Errors:
 * 403 `auth_scope_insufficient`, `role_insufficient`; 404 `member_not_found`; 409 `idempotency_conflict`,
 * `too_many_keys`; 422 if resources
 * and actions form no scope.
 */
export async function createKey(
  { db }: Deps,
  caller: Principal,
  body: CreateBody,
  idempotency: IdempotencyKey | null,
): Promise<{ key: ReturnType<typeof presentCreatedApiKey>; created: boolean }> {
  const { workspace_id } = caller;
  const { resources, actions, ip_allowlist } = caller;
  const scope: KeyScope = { resources, actions, ip_allowlist, ...body.scope };
  assertSomeScope(scope);
  const member_id = body.member_id ?? caller.member_id;
  const { token, record } = mintToken();
  return transaction(db, async (tx) => {
    const role = await lockIssueeRole(tx, workspace_id, member_id);
    if (!role) throw new ApiError('member_not_found', 'No such member.', { param: 'member_id' });
    assertWithinCaller(caller, { ...scope, role });
    const id = newId('key');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const created = bound === id;
    if (created) {
      const { name, expires_at = new Date(Date.now() + DEFAULT_DAYS * DAY_MS) } = body;
      await assertRoomForKey(tx, workspace_id);
      await insertApiKey(tx, {
        id,
        workspace_id,
        member_id,
        name,
        expires_at,
        token: record,
        by: caller,
        ...scope,
      });
      const { fingerprint } = record;
      const details = { name, fingerprint, member_id, scope, expires_at: expires_at.toISOString() };
      await audit(tx, caller, { action: 'api_key.created', object: id, details });
    }
    const key = (await findApiKey(tx, workspace_id, bound))!;
    return { created, key: presentCreatedApiKey(key, created ? token : null) };
  });
}
