import { listCalendar, type CalendarFilter } from '../../../../db/queries/bookings/calendar.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../../../db/transaction.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { ApiError } from '../../../../domain/errors.js';
import { can } from '../../../../domain/policies.js';
import { memberId, rangeEnd, timestamp, uuid } from '../../../http/fields.js';
import { operation } from '../../../http/operation.js';
import { object } from '../../../http/typed.js';
import type { Resource } from '../../shared/resource.js';
import { CalendarTooLong, MAX_BYTES, writeCalendar, type RenderedCalendar } from './ics.js';

const DEFAULT_DAYS_BACK = 30;
/** About 3 MB without notes, more than calendar applications accept. */
const MAX_ENTRIES = 10_000;

const tooLong = (why: string): ApiError =>
  new ApiError('validation_failed', `${why} Request a shorter range, one room or one member.`, {
    param: 'to',
  });

type CalendarQuery = Omit<CalendarFilter, 'from' | 'limit'> & { from?: Date };

/**
 * The bookings of a query, by default from 30 days ago on, as one document for a member. Errors: 422
 * `validation_failed` if there are more than 10,000 or they take more than 10 MiB, since a feed must not omit
 * bookings silently.
 */
export async function readCalendar(
  tx: Tx,
  memberId: string,
  { from = new Date(Date.now() - DEFAULT_DAYS_BACK * DAY_MS), ...query }: CalendarQuery,
): Promise<RenderedCalendar> {
  const rows = await listCalendar(tx, { ...query, from, limit: MAX_ENTRIES + 1 });
  if (rows.length > MAX_ENTRIES) throw tooLong(`More than ${MAX_ENTRIES} bookings start in this range.`);
  const { name } = (await findWorkspace(tx, query.workspace_id))!;
  return writeCalendar(name, rows, memberId).catch((error: unknown) => {
    if (!(error instanceof CalendarTooLong)) throw error;
    throw tooLong(`The bookings that start in this range take more than ${MAX_BYTES / 1024 ** 2} MiB.`);
  });
}

/** A calendar in HTTP. */
export const calendarReply = ({ document, digest }: RenderedCalendar) => ({
  headers: { 'Content-Type': 'text/calendar; charset=utf-8', 'Cache-Control': 'private, no-cache' },
  etag: digest,
  body: document,
});

const getCalendar = operation({
  route: 'GET /v1/calendar.ics',
  summary: 'Get the calendar feed',
  description:
    'Returns an iCalendar document (RFC 5545) with the bookings that start in `[from, to)`. `from` ' +
    'defaults to 30 days ago; without `to`, the range has no end. Cancelled and expired bookings are ' +
    'included for 30 days. The roles `front_desk`, `admin` and `owner` see all bookings, other roles ' +
    'only their own. Fails with 422 `validation_failed` on `to` if the range has more than 10,000 ' +
    'bookings or the document would exceed 10 MiB. Returns 304 if `If-None-Match` contains the ' +
    'current ETag.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: object({
    from: timestamp.description(
      'Includes only bookings that start at or after this time. Defaults to 30 days ago.',
    ),
    to: rangeEnd.description('Includes only bookings that start before this time.'),
    room_id: uuid.description('Includes only bookings of this room.'),
    member_id: memberId.description('Includes only bookings of this member.'),
  }),
  etag: true,
  responses: { 200: { mediaType: 'text/calendar' }, 304: null },
  run: ({ query }, { workspace_id, member_id, role }, { db }) =>
    readCalendar(db.manager, member_id, {
      ...query,
      workspace_id,
      only_of: can(role, 'all_bookings') ? undefined : member_id,
    }),
  reply(calendar) {
    const { headers, ...reply } = calendarReply(calendar);
    return { ...reply, headers: { ...headers, Vary: 'Authorization' } };
  },
});

/** The calendar feed (docs/rules/bookings.md#calendar-feed). */
export const calendar: Resource = { tag: 'Bookings', operations: [getCalendar] };
