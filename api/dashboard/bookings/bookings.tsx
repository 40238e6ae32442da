import joi from 'joi';
import { listBookings } from '../../../db/repositories/bookings/booking-queries.js';
import { findBookingMembers } from '../../../db/repositories/workspaces/dashboard-queries.js';
import { can } from '../../../domain/policies.js';
import { BOOKING_STATUSES, type BookingStatus } from '../../../domain/states.js';
import { DAY, instantOf, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../dependencies.js';
import { isBookingId } from '../../bookings/schema.js';
import type { Handler } from '../../http/context.js';
import { cursorParam, decodeCursor, encodeCursor } from '../../http/cursor.js';
import { searchText } from '../../http/fields.js';
import { BookingTable } from './booking-table.js';
import { Legend } from '../shared/legend.js';
import { showSection } from '../shared/workspace.js';

const PAGE_SIZE = 25;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The value of a date field; an invalid date is ignored. */
const day = joi
  .string()
  .allow('')
  .custom((value: string) => (DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined));

export const bookingsQuery = joi.object({
  q: searchText.allow(''),
  status: joi
    .string()
    .allow('')
    .valid(...BOOKING_STATUSES),
  from: day,
  to: day,
  cursor: cursorParam,
});

interface Query {
  q?: string;
  status?: BookingStatus | '';
  /** Dates in the workspace's time zone, both inclusive. */
  from?: string;
  to?: string;
  cursor?: string;
}

const dayOf = (instant: number, timeZone: string): string =>
  new Date(wallClock(instant, timeZone)).toISOString().slice(0, 10);

/** `GET /dashboard/:workspace/bookings`: bookings by date, status and booker, by default from yesterday on. Searching for
 * an id redirects to the booking. */
export function showBookings({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, role, member_id } = ctx.state.membership!;
    const home = `/dashboard/${workspace_id}`;
    const query = ctx.state.query as Query;
    const q = query.q?.trim() || undefined;
    if (q && isBookingId(q)) return ctx.redirect(`${home}/bookings/${q}`);
    const from = query.from || dayOf(Date.now() - DAY, time_zone);
    const to = query.to || dayOf(Date.parse(from) + 60 * DAY, 'UTC');
    const after = decodeCursor(query.cursor, isBookingId);
    const rows = await listBookings(db.manager, {
      workspace_id,
      from: new Date(instantOf(Date.parse(from), time_zone)),
      to: new Date(instantOf(Date.parse(to) + DAY, time_zone)),
      status: query.status || undefined,
      q,
      only_of: can(role, 'all_bookings') ? undefined : member_id,
      after: after && { start_at: after.key, id: after.id },
      limit: PAGE_SIZE + 1,
    });
    const onPage = rows.slice(0, PAGE_SIZE);
    const last = onPage.at(-1);
    const members = await findBookingMembers(db.manager, workspace_id, onPage);
    const csv = new URLSearchParams({ q: q ?? '', status: query.status ?? '', from, to });
    const more = new URLSearchParams(csv);
    if (rows.length > PAGE_SIZE && last) more.set('cursor', encodeCursor(last.start_at, last.id));
    showSection(ctx, {
      title: 'Bookings',
      at: '/bookings',
      children: (
        <>
          <form class="filter" role="search">
            <div>
              <label>
                <span>Name, email or id</span>
                <input type="search" name="q" value={q} maxLength={100} />
              </label>
            </div>
            <div>
              <label>
                <span>Status</span>
                <select name="status">
                  <option value="">any</option>
                  {BOOKING_STATUSES.map((status) => (
                    <option key={status} value={status} selected={status === query.status}>
                      {status.replaceAll('_', ' ')}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            <div>
              <label>
                <span>From</span>
                <input type="date" name="from" value={from} />
              </label>
            </div>
            <div>
              <label>
                <span>To</span>
                <input type="date" name="to" value={to} />
              </label>
            </div>
            <button>Search</button>
          </form>
          <BookingTable ctx={ctx} bookings={onPage} members={members} />
          <Legend of="booking" />
          {more.has('cursor') && (
            <p>
              <a href={`${home}/bookings?${more}`}>Later bookings</a>
            </p>
          )}
          <p>
            <a href={`${home}/bookings.csv?${csv}`}>Download as CSV</a>
          </p>
        </>
      ),
    });
  };
}
