import { listOauthClients } from '../../../commands/access/oauth-clients.js';
import { presentOauthClient } from '../../../domain/presenters/oauth-client.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { decodeCursor, page, type PageQuery } from '../../http/cursor.js';
import { isClientId } from './schema.js';

/** `GET /v1/oauth-clients`, by creation time. */
export function list({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { cursor, limit } = ctx.state.query as PageQuery;
    const after = decodeCursor(cursor, isClientId);
    const rows = await listOauthClients(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (client) => client.created_at, presentOauthClient);
  };
}
