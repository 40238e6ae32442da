import Router from '@koa/router';
import joi from 'joi';
import { asId, isId } from '../../db/ids.js';
import {
  type ActorFilter,
  type AuditRow,
  listAuditLog,
} from '../../db/repositories/workspaces/audit-queries.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { cursorParam, decodeCursor, page } from '../http/cursor.js';
import { pageLimit, text, timestamp, validQuery } from '../http/validate.js';

/** `mem_…` (or its UUID), `key_…` or `system`. */
const actor = joi.string().custom((value: string, helpers): ActorFilter | joi.ErrorReport => {
  if (value === 'system') return value;
  if (isId('key', value)) return { key_id: value };
  const member_id = asId('mem', value);
  if (member_id) return { member_id };
  return helpers.message({ custom: '{{#label}} must be a member id (mem_…), a key id (key_…) or system' });
});

const listSchema = joi.object({
  from: timestamp,
  to: timestamp,
  action: text(100),
  actor,
  limit: pageLimit,
  cursor: cursorParam,
});

interface ListQuery {
  from?: Date;
  to?: Date;
  action?: string;
  actor?: ActorFilter;
  limit: number;
  cursor?: string;
}

const isEntryId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id);

const presentEntry = (entry: AuditRow) => ({
  id: entry.id,
  at: entry.at.toISOString(),
  action: entry.action,
  actor: entry.actor,
  object: entry.object,
  details: entry.details,
});

/** `GET /v1/audit-log` (spec.md, "Audit log"; decisions.md, "Rooms, companies, workspace"), the newest first. */
export function auditLogRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  const list: Handler = async (ctx) => {
    const { cursor, ...query } = ctx.state.query as ListQuery;
    const after = cursor ? decodeCursor(cursor, isEntryId) : undefined;
    const rows = await listAuditLog(deps.db.manager, {
      ...query,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (entry) => entry.at, presentEntry);
  };

  const mayRead = may('workspace:read', 'read_audit_log');
  router.get('/v1/audit-log', ...route(authenticated(deps), mayRead, validQuery(listSchema), list));
  return router;
}
