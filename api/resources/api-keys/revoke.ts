import { lockApiKey, revokeApiKeys } from '../../../commands/api-keys/api-keys.js';
import { transaction } from '../../../db/transaction.js';
import type { Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { keyIdOf, keyNotFound } from './read.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** `DELETE /v1/api-keys/{id}` */
export function revoke(deps: Deps): Handler {
  return async (ctx) => {
    await revokeKey(deps, ctx.state.principal, keyIdOf(ctx));
    ctx.status = 204;
  };
}

/** `POST /v1/api-keys/revoke-all`: revokes every key of the workspace, including the calling one. */
export function revokeAll({ db }: Deps): Handler {
  return async (ctx) => {
    const revoked = await transaction(db, (tx) =>
      revokeApiKeys(tx, ctx.state.principal, {}, 'revoked_by_member'),
    );
    ctx.status = 200;
    ctx.body = { revoked };
  };
}

/**
 * Revokes a key permanently (docs/rules/credentials.md#revocation). A revoked key stays as it is. Errors: 404
 * `key_not_found`.
 */
export function revokeKey({ db }: Deps, caller: Principal, id: string): Promise<void> {
  return transaction(db, async (tx) => {
    if (!(await lockApiKey(tx, caller.workspace_id, id))) throw keyNotFound();
    await revokeApiKeys(tx, caller, { id }, 'revoked_by_member');
  });
}
