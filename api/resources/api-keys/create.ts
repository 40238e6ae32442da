import { newId } from '../../../db/ids.js';
import {
  assertRoomForKey,
  insertApiKey,
  lockIssueeRole,
  NEVER,
} from '../../../commands/api-keys/api-keys.js';
import { findApiKey } from '../../../db/queries/api-keys/api-key.js';
import { bindKey, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { assertSomeScope, assertWithinCaller, type KeyScope } from '../../../domain/api-keys/key-scope.js';
import type { Principal } from '../../../domain/policies.js';
import { presentCreatedApiKey } from '../../../domain/api-keys/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { mintToken } from '../../http/tokens.js';
import { assertRooms } from '../../../commands/rooms/known-rooms.js';
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

/** What a publishable key permits is the same for all, and no member's right. */
const NO_SCOPE: KeyScope = { resources: [], actions: [], ip_allowlist: [] };

/** What a key must have to create a publishable one, with which strangers read rooms and book. */
const STRANGERS = {
  resources: ['calendar'],
  actions: ['read', 'write'],
} as const satisfies Partial<KeyScope>;

/** Errors: 422 if resources and actions form no scope. */
function scopeOf({ resources, actions, ip_allowlist }: Principal, body: CreateBody): KeyScope {
  const scope: KeyScope = { resources, actions, ip_allowlist, ...body.scope };
  assertSomeScope(scope);
  return scope;
}

/** Errors: 422 for fields that keys of the other kind have. */
function assertFieldsOf({ kind = 'secret', scope, ...body }: CreateBody): void {
  if (kind === 'publishable') {
    if (!body.origins) throw invalidField('origins', 'is required for a publishable key');
    if (Object.keys(scope).length > 0) throw invalidField('scope', 'is for secret keys only');
    for (const field of ['member_id', 'expires_at'] as const)
      if (body[field] !== undefined) throw invalidField(field, 'is for secret keys only');
    return;
  }
  for (const field of ['origins', 'room_ids'] as const)
    if (body[field] !== undefined) throw invalidField(field, 'is for publishable keys only');
}

/**
 * Creates a key for the caller, or for another member whose role is no higher than the caller's
 * (docs/rules/credentials.md#scopes). Its scope never exceeds that of the calling key, which is also the
 * default. Errors: 403 `auth_scope_insufficient`, `role_insufficient`; 404 `member_not_found`; 409
 * `idempotency_conflict`, `too_many_keys`; 422 if resources and actions form no scope, or for fields of
 * another kind of key. A publishable key (docs/rules/credentials.md#publishable-keys) needs a caller who may
 * read and write the calendar.
 */
export async function createKey(
  { db }: Deps,
  caller: Principal,
  body: CreateBody,
  idempotency: IdempotencyKey | null,
): Promise<{ key: ReturnType<typeof presentCreatedApiKey>; created: boolean }> {
  const { workspace_id } = caller;
  const { kind = 'secret', origins = [], room_ids = null } = body;
  const isPublic = kind === 'publishable';
  const scope = isPublic ? NO_SCOPE : scopeOf(caller, body);
  assertFieldsOf(body);
  const member_id = body.member_id ?? caller.member_id;
  const { token, record } = mintToken(kind);
  return transaction(db, async (tx) => {
    const role = await lockIssueeRole(tx, workspace_id, member_id);
    if (!role) throw new ApiError('member_not_found', 'No such member.', { param: 'member_id' });
    assertWithinCaller(caller, { ...(isPublic ? { ...caller, ...STRANGERS } : scope), role });
    await assertRooms(tx, workspace_id, 'room_ids', room_ids);
    const id = newId('key');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const created = bound === id;
    if (created) {
      const { name } = body;
      const expires_at = isPublic ? NEVER : (body.expires_at ?? new Date(Date.now() + DEFAULT_DAYS * DAY_MS));
      await assertRoomForKey(tx, workspace_id);
      await insertApiKey(tx, {
        id,
        workspace_id,
        member_id,
        name,
        expires_at,
        kind,
        origins,
        room_ids,
        public_token: isPublic ? token : null,
        token: record,
        by: caller,
        ...scope,
      });
      const { fingerprint } = record;
      const limits = isPublic ? { kind, origins, room_ids } : { scope, expires_at: expires_at.toISOString() };
      const details = { name, fingerprint, member_id, ...limits };
      await audit(tx, caller, { action: 'api_key.created', object: id, details });
      await enqueueMail(tx, { kind: 'api_key_created', workspace_id, about: id });
    }
    const key = (await findApiKey(tx, workspace_id, bound))!;
    return { created, key: presentCreatedApiKey(key, created ? token : null) };
  });
}
