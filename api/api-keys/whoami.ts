import { scopesOf } from '../../domain/key-scope.js';
import type { Handler } from '../http/context.js';
import { bearerToken } from '../http/tokens.js';

/** `GET /v1/auth/whoami`: the calling key (spec.md, "Credentials"). `key_prefix` is of the very token that was sent. */
export const whoami: Handler = async (ctx) => {
  const { principal } = ctx.state;
  ctx.body = {
    workspace_id: principal.workspace_id,
    scopes: scopesOf(principal),
    key_prefix: bearerToken(ctx.get('authorization'))!.prefix,
    created_at: new Date(principal.key_created_at!).toISOString(),
  };
};
