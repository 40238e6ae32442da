import { listBookings } from '../../../../db/queries/bookings/booking.js';
import { findBookingListFacts, listToday } from '../../../../db/queries/workspaces/dashboard.js';
import { DAY_MS } from '../../../../domain/durations.js';
import type { Tx } from '../../../../db/transaction.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { pathIn } from '../../shared/paths.js';
import { BookingTable } from '../../shared/booking-table.js';

const SHOWN = 5;
const DAYS_AHEAD = 366;

/** A member's own bookings: holds, those of today and the next ones. */
export async function ownBookings(ctx: ApiContext, tx: Tx) {
  const { workspace_id, time_zone, member_id: only_of } = ctx.state.membership!;
  const now = new Date();
  const [today, next] = await Promise.all([
    listToday(tx, { workspace_id, time_zone, only_of, limit: SHOWN }),
    listBookings(tx, {
      workspace_id,
      from: now,
      to: new Date(now.getTime() + DAYS_AHEAD * DAY_MS),
      status: 'confirmed',
      only_of,
      limit: 2 * SHOWN,
    }),
  ]);
  const later = next.filter(({ id }) => !today.some((each) => each.id === id));
  const bookings = [...today, ...later].slice(0, SHOWN);
  return (
    <>
      <h2>Bookings</h2>
      <BookingTable
        ctx={ctx}
        bookings={bookings}
        beside={await findBookingListFacts(tx, workspace_id, bookings)}
        empty="No upcoming bookings."
      />
      <p class="do">
        <a class="button" href={pathIn(ctx, '/book')}>
          Book a room
        </a>
        <a class="button quiet" href={pathIn(ctx, '/bookings')}>
          All your bookings
        </a>
      </p>
    </>
  );
}
