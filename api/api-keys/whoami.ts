import { keyCreatedAt } from '../../db/repositories/api-keys.js';
import { scopesOf } from '../../domain/key-scope.js';
import type { ApiDependencies } from '../app.js';
import type { Handler } from '../http/context.js';
import { bearerToken } from '../http/tokens.js';

/** `GET /v1/auth/whoami`: the calling key (spec.md, "Credentials"). `key_prefix` is of the very token that was sent. */
export function whoami({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const created_at = await keyCreatedAt(db.manager, principal.key_id!);
    ctx.body = {
      workspace_id: principal.workspace_id,
      scopes: scopesOf(principal),
      key_prefix: bearerToken(ctx.get('authorization'))!.prefix,
      created_at: created_at.toISOString(),
    };
  };
}
