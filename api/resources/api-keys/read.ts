import { findApiKey, listApiKeys } from '../../../db/queries/api-keys/api-key.js';
import { ApiError } from '../../../domain/errors.js';
import { presentApiKey } from '../../../domain/api-keys/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { listOf } from '../../http/list.js';
import { isKeyId } from './shape.js';

export const keyNotFound = (): ApiError => new ApiError('key_not_found', 'No such API key.');

/** The key id in the path. Errors: 404 `key_not_found`. */
export function keyIdOf({ params: { id } }: ApiContext): string {
  if (isKeyId(id!)) return id!;
  throw keyNotFound();
}

/** `GET /v1/api-keys`, newest first. */
export const list = listOf({
  find: listApiKeys,
  by: 'created_at',
  isId: isKeyId,
  present: presentApiKey,
});

/** `GET /v1/api-keys/{id}`; a publishable one with its token. Errors: 404 `key_not_found`. */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const key = await findApiKey(db.manager, ctx.state.principal.workspace_id, keyIdOf(ctx));
    if (!key) throw keyNotFound();
    ctx.body = presentApiKey(key);
  };
}
