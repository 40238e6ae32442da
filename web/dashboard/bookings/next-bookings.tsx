import { listBookings } from '../../../db/queries/bookings/booking.js';
import { findBookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/paths.js';
import { BookingTable } from '../shared/booking-table.js';

const SHOWN = 5;
const DAYS_AHEAD = 90;

/**
 * The next bookings of a member or company, for those who see all bookings. `all`: the filter of the list.
 */
export async function nextBookings(
  ctx: ApiContext,
  { db }: ApiDependencies,
  of: { member_id: string } | { company_id: string },
  all: string,
) {
  const { workspace_id, role } = ctx.state.membership!;
  if (!can(role, 'all_bookings')) return null;
  const now = new Date();
  const bookings = await listBookings(db.manager, {
    workspace_id,
    ...of,
    from: now,
    to: new Date(now.getTime() + DAYS_AHEAD * DAY_MS),
    live: true,
    limit: SHOWN,
  });
  return (
    <>
      <h2>Next bookings</h2>
      <BookingTable
        ctx={ctx}
        bookings={bookings}
        beside={await findBookingListFacts(db.manager, workspace_id, bookings)}
        empty={`No bookings in the next ${DAYS_AHEAD} days.`}
      />
      <p class="links">
        <a href={pathIn(ctx, `/bookings?${all}`)}>All bookings</a>
      </p>
    </>
  );
}
