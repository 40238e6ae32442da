import { scopesOf } from '../../../domain/api-keys/key-scope.js';
import { canUse } from '../../../domain/policies.js';
import type { Handler } from '../../http/context.js';
import { bearerToken } from '../../http/tokens.js';

/**
 * `GET /v1/auth/whoami`: the calling key (docs/rules/credentials.md#scopes). `scopes` are those that the
 * current role of its member can use; `key_prefix` is that of the token in the request.
 */
export const whoami: Handler = async (ctx) => {
  const { principal } = ctx.state;
  ctx.body = {
    workspace_id: principal.workspace_id,
    scopes: scopesOf(principal).filter((scope) => canUse(principal.role, scope)),
    key_prefix: bearerToken(ctx.get('authorization'))!.prefix,
    created_at: new Date(principal.key_created_at!).toISOString(),
  };
};
