import { listAuditLog } from '../../../db/queries/workspaces/audit.js';
import { presentAuditEntry } from '../../../domain/presenters/audit-entry.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { isEntryId, type ListQuery } from './schema.js';

/** `GET /v1/audit-log`, newest first. */
export function list({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query as ListQuery;
    const after = decodeCursor(cursor, isEntryId);
    const rows = await listAuditLog(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (entry) => entry.at, presentAuditEntry);
  };
}
