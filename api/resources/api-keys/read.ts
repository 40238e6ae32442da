import { listApiKeys } from '../../../db/queries/access/api-key.js';
import { ApiError } from '../../../domain/errors.js';
import { presentApiKey } from '../../../domain/presenters/api-key.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page, type PageQuery } from '../../http/cursor.js';
import { isKeyId } from './schema.js';

export const keyNotFound = (): ApiError => new ApiError('key_not_found', 'No such API key.');

/** The key id in the path. Errors: 404 `key_not_found`. */
export function keyIdOf({ params: { id } }: ApiContext): string {
  if (isKeyId(id!)) return id!;
  throw keyNotFound();
}

/** `GET /v1/api-keys`, newest first. */
export function list({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { cursor, limit } = ctx.state.query as PageQuery;
    const after = decodeCursor(cursor, isKeyId);
    const rows = await listApiKeys(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (key) => key.created_at, presentApiKey);
  };
}
