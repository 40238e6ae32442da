import { listCalendar, type CalendarFilter } from '../../../../db/queries/bookings/calendar.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../../../db/transaction.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { ApiError } from '../../../../domain/errors.js';
import { can } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { ApiContext, Handler } from '../../../http/context.js';
import { applyEtag } from '../../../http/etag.js';
import { CalendarTooLong, MAX_BYTES, writeCalendar } from './ics.js';
import type { Query } from './shape.js';

const DEFAULT_DAYS_BACK = 30;
/** About 3 MB without notes, more than calendar applications accept. */
const MAX_ENTRIES = 10_000;

const tooLong = (why: string): ApiError =>
  new ApiError('validation_failed', `${why} Request a shorter range, one room or one member.`, {
    param: 'to',
  });

type CalendarQuery = Omit<CalendarFilter, 'from' | 'limit'> & { from?: Date };

/**
 * Sends the bookings of a query, by default from 30 days ago on, as one document for a member. Errors:
 * 422 `validation_failed` if there are more than 10,000 or they take more than 10 MiB, since a feed must
 * not omit bookings silently.
 */
export async function sendCalendar(
  ctx: ApiContext<unknown, unknown>,
  tx: Tx,
  memberId: string,
  { from = new Date(Date.now() - DEFAULT_DAYS_BACK * DAY_MS), ...query }: CalendarQuery,
): Promise<void> {
  const rows = await listCalendar(tx, { ...query, from, limit: MAX_ENTRIES + 1 });
  if (rows.length > MAX_ENTRIES) throw tooLong(`More than ${MAX_ENTRIES} bookings start in this range.`);
  const { name } = (await findWorkspace(tx, query.workspace_id))!;
  const { document, digest } = await writeCalendar(name, rows, memberId).catch((error: unknown) => {
    if (!(error instanceof CalendarTooLong)) throw error;
    throw tooLong(`The bookings that start in this range take more than ${MAX_BYTES / 1024 ** 2} MiB.`);
  });
  ctx.body = document;
  ctx.type = 'text/calendar; charset=utf-8';
  ctx.set('Cache-Control', 'private, no-cache');
  applyEtag(ctx, digest);
}

/**
 * `GET /v1/calendar.ics` (docs/rules/bookings.md#calendar-feed): the bookings that start in `[from, to)` and
 * that the caller may see.
 */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler<unknown, Query> {
  return async (ctx) => {
    const { principal, query } = ctx.state;
    const { workspace_id, member_id, role } = principal;
    ctx.vary('Authorization');
    await sendCalendar(ctx, db.manager, member_id, {
      ...query,
      workspace_id,
      only_of: can(role, 'all_bookings') ? undefined : member_id,
    });
  };
}
