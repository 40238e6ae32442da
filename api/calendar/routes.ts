import { createHash } from 'node:crypto';
import Router from '@koa/router';
import joi from 'joi';
import { listCalendar } from '../../db/repositories/bookings/calendar-queries.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { ApiError } from '../../domain/errors.js';
import { can } from '../../domain/policies.js';
import { DAY } from '../../domain/time-zone.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { answerOnce } from '../http/etag.js';
import { memberId, timestamp, uuid, validQuery } from '../http/validate.js';
import { writeCalendar } from './ics.js';

const DAYS_BACK = 30;
/** More than calendars take in, and about 3 MB. */
const MAX_ENTRIES = 10_000;

const feedSchema = joi.object({ from: timestamp, to: timestamp, room_id: uuid, member_id: memberId });
type FeedQuery = { from?: Date; to?: Date; room_id?: string; member_id?: string };

/** The iCal feed (decisions.md, "Bookings"). */
export function calendarRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  /**
   * `GET /v1/calendar.ics`: bookings whose start lies in `[from, to)`; from 30 days ago, with no end, unless told
   * otherwise. All in one document, read in one statement. Answers 304 to an `If-None-Match` that still holds.
   * Errors: 422 `validation_failed` where there are more than 10,000; none is left out in silence.
   */
  const feed: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const query = ctx.state.query as FeedQuery;
    const rows = await listCalendar(deps.db.manager, {
      ...query,
      workspace_id: principal.workspace_id,
      from: query.from ?? new Date(Date.now() - DAYS_BACK * DAY),
      only_of: can(principal.role, 'workspace_feed') ? undefined : principal.member_id,
      limit: MAX_ENTRIES + 1,
    });
    if (rows.length > MAX_ENTRIES) {
      const message = `More than ${MAX_ENTRIES} bookings begin in this time; ask for less of it, or for one room.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { name } = (await findWorkspace(deps.db.manager, principal.workspace_id))!;
    const document = await writeCalendar(name, rows, principal.member_id);
    ctx.body = document;
    ctx.type = 'text/calendar; charset=utf-8';
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.vary('Authorization');
    answerOnce(ctx, createHash('sha256').update(document).digest('base64url'));
  };

  const mayRead = may('calendar:read', 'own_bookings');
  router.get('/v1/calendar.ics', ...route(authenticated(deps), mayRead, validQuery(feedSchema), feed));
  return router;
}
