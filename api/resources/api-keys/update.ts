import { updateApiKey } from '../../../commands/api-keys/api-keys.js';
import { findApiKey } from '../../../db/queries/api-keys/api-key.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { assertCanEnd, assertNarrower, assertSomeScope } from '../../../domain/api-keys/key-scope.js';
import { presentApiKey } from '../../../domain/api-keys/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { lockLiveKey } from './live-key.js';
import { keyIdOf } from './read.js';
import type { UpdateBody } from './shape.js';

/** The fields of a key that can change, as the audit log records them. */
const changeable = ({ name, scope, expires_at }: ReturnType<typeof presentApiKey>) => ({
  name,
  scope,
  expires_at,
});

/**
 * `PATCH /v1/api-keys/{id}`: renames a key, narrows its scope or makes it expire earlier. For another
 * member's key, the last two need what its revocation needs, since an allowlist or scope can be too narrow
 * for any use, and a role that is not below theirs. Errors: 403 `auth_scope_insufficient`,
 * `role_insufficient`; 404 `key_not_found`; 409 `key_not_live`; 422 `scope_not_narrower`, or
 * `validation_failed` if no scope would be left.
 */
export function update({ db }: Pick<ApiDependencies, 'db'>): Handler<UpdateBody> {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const { body } = ctx.state;
    const id = keyIdOf(ctx);
    ctx.body = await transaction(db, async (tx) => {
      const key = await lockLiveKey(tx, workspace_id, id);
      const { name = key.name, expires_at = key.expires_at, scope } = body;
      const narrowed = { ...key, ...scope, name, expires_at };
      assertSomeScope(narrowed);
      assertNarrower(narrowed, key);
      if (expires_at > key.expires_at) {
        const message = 'expires_at must not be later than the current expires_at of the key.';
        throw new ApiError('scope_not_narrower', message, { param: 'expires_at' });
      }
      const isNarrower = expires_at < key.expires_at || scope !== undefined;
      if (isNarrower && key.member_id !== principal.member_id) assertCanEnd(principal, key);
      await updateApiKey(tx, id, narrowed);
      const before = changeable(presentApiKey(key));
      const after = presentApiKey((await findApiKey(tx, workspace_id, id))!);
      const details = { fingerprint: key.fingerprint, before, after: changeable(after) };
      await audit(tx, principal, { action: 'api_key.narrowed', object: id, details });
      return after;
    });
  };
}
