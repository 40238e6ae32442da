import joi from 'joi';
import { listBookings } from '../../../db/queries/bookings/booking.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { dayIn, utcDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { BOOKING_STATUSES, type BookingStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isBookingId } from '../../../api/resources/bookings/shape.js';
import type { Handler } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { pathIn } from '../shared/api-form.js';
import { optionsOf } from '../../ui/formats.js';
import { Legend } from '../shared/legend.js';
import {
  addressWith,
  choiceOf,
  DAYS,
  Filter,
  listFields,
  readPage,
  Pager,
  rangeOf,
  type ListQuery,
} from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { BookingTable } from '../shared/booking-table.js';

export const bookingsQuery = joi.object({
  q: searchText.allow(''),
  status: choiceOf(BOOKING_STATUSES),
  ...listFields,
});

interface Query extends ListQuery {
  q?: string;
  status?: BookingStatus | '';
}

/** `GET /dashboard/:workspace/bookings`: bookings by date, status and booker, by default from yesterday on. Searching for
 * an id redirects to the booking. */
export function showBookings({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, role, member_id } = ctx.state.membership!;
    const query = ctx.state.query as Query;
    const q = query.q?.trim() || undefined;
    if (q && isBookingId(q)) return ctx.redirect(pathIn(ctx, `/bookings/${q}`));
    const from = query.from || dayIn(time_zone, new Date(Date.now() - DAY_MS));
    const to = query.to || utcDay(Date.parse(from) + 60 * DAY_MS);
    // The filter shows the days that the list has, and the further pages keep them.
    ctx.state.query = { ...query, from, to };
    const range = rangeOf({ from, to }, time_zone);
    const { rows, next } = await readPage(ctx, isBookingId, 'start_at', (page) =>
      listBookings(db.manager, {
        workspace_id,
        from: range.from!,
        to: range.to!,
        status: query.status || undefined,
        q,
        only_of: can(role, 'all_bookings') ? undefined : member_id,
        ...page,
      }),
    );
    const members = await findBookingMembers(db.manager, workspace_id, rows);
    const csv = addressWith(ctx, { cursor: undefined }).replace('/bookings', '/bookings.csv');
    showSection(ctx, {
      title: 'Bookings',
      at: '/bookings',
      children: (
        <>
          <Filter
            ctx={ctx}
            fields={[
              { name: 'q', label: 'Name, email or ID' },
              { name: 'status', label: 'Status', options: optionsOf(BOOKING_STATUSES) },
              ...DAYS,
            ]}
          />
          <BookingTable ctx={ctx} bookings={rows} members={members} />
          <Pager ctx={ctx} next={next} />
          <Legend of="booking" />
          <p class="links">
            <a href={pathIn(ctx, '/book')}>Book a room</a>
            <a href={csv}>Export CSV</a>
          </p>
        </>
      ),
    });
  };
}
