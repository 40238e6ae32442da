import { createHash } from 'node:crypto';
import { listCalendar } from '../../../db/queries/bookings/calendar.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { applyEtag } from '../../http/etag.js';
import { writeCalendar } from './ics.js';
import type { Query } from './shape.js';

const DEFAULT_DAYS_BACK = 30;
/** About 3 MB, more than calendar applications accept. */
const MAX_ENTRIES = 10_000;

/**
 * `GET /v1/calendar.ics` (docs/rules/bookings.md#calendar-feed): the bookings that start in `[from, to)`, by default from
 * 30 days ago on, in one document. Errors: 422 `validation_failed` if there are more than 10,000, since a feed must not
 * omit bookings silently.
 */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler<unknown, Query> {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { query } = ctx.state;
    const rows = await listCalendar(db.manager, {
      ...query,
      workspace_id: principal.workspace_id,
      from: query.from ?? new Date(Date.now() - DEFAULT_DAYS_BACK * DAY_MS),
      only_of: can(principal.role, 'all_bookings') ? undefined : principal.member_id,
      limit: MAX_ENTRIES + 1,
    });
    if (rows.length > MAX_ENTRIES) {
      const message = `More than ${MAX_ENTRIES} bookings start in this range. Request a shorter range, one room or one member.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { name } = (await findWorkspace(db.manager, principal.workspace_id))!;
    const document = await writeCalendar(name, rows, principal.member_id);
    ctx.body = document;
    ctx.type = 'text/calendar; charset=utf-8';
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.vary('Authorization');
    applyEtag(ctx, createHash('sha256').update(document).digest('base64url'));
  };
}
