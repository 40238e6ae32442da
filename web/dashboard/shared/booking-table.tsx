import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { BookingListFacts, BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { bookingState, WAITING_CHANGE } from '../../../domain/bookings/state.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { Status } from './status.js';

/** The booker, a guest or a member; empty for an erased one. */
export function toBooker(booking: BookingRow, members: Map<string, BookingMember>): Partial<BookingMember> {
  const member = booking.member_id ? members.get(booking.member_id) : undefined;
  return member ?? { name: booking.guest_name ?? undefined, email: booking.guest_email ?? undefined };
}

/** `9:05 left` in minutes and seconds; from an hour on `23 h 50 min left`. */
function timeLeft(seconds: number): string {
  if (seconds <= 0) return 'time is up';
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
  return `${minutes}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** The time left until an instant. The dashboard's script counts it down. */
export const Countdown = ({ until }: { until: Date }) => (
  <span class="countdown" data-until={until.toISOString()}>
    {timeLeft(Math.round((until.getTime() - Date.now()) / 1000))}
  </span>
);

/** The state of a booking; of a hold, with the time left; and whether a change of it is not paid yet. */
export function BookingStateBadge({ of, changing }: { of: BookingRow; changing?: boolean }) {
  const { status, expires_at } = of;
  return (
    <>
      <Status value={bookingState(of, new Date())} />
      {status === 'pending_payment' && expires_at && (
        <>
          {' '}
          <Countdown until={expires_at} />
        </>
      )}
      {changing && <small class="waiting">{WAITING_CHANGE}</small>}
    </>
  );
}

/** One line on a phone. */
const BookerCell = ({ of: { name = 'erased' } }: { of: Partial<BookingMember> }) => (
  <td title={name}>{name}</td>
);

/** The bookings of each day in a row, in the rooms' zones. */
function groupByDay(bookings: BookingRow[], ctx: ApiContext): { day: string; of: BookingRow[] }[] {
  const days: { day: string; of: BookingRow[] }[] = [];
  for (const booking of bookings) {
    const day = createFormats(ctx, booking.time_zone).day(booking.start_at);
    if (days.at(-1)?.day === day) days.at(-1)!.of.push(booking);
    else days.push({ day, of: [booking] });
  }
  return days;
}

/**
 * Bookings with links to their pages. The zone is named once if all rooms have the same. `byDay`: with a
 * heading for each day.
 */
export function BookingTable(props: {
  ctx: ApiContext;
  bookings: BookingRow[];
  beside: BookingListFacts;
  byDay?: true;
  empty?: string;
}) {
  const { ctx, bookings, beside, byDay, empty = 'No bookings.' } = props;
  if (bookings.length === 0) return <p class="soft">{empty}</p>;
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { amount, day: dayOf } = createFormats(ctx);
  const today = dayOf(new Date());
  const zones = new Set(bookings.map((booking) => booking.time_zone));
  const oneZone = zones.size === 1;
  const when = (booking: BookingRow): string => {
    const { clocks, span } = createFormats(ctx, booking.time_zone);
    return byDay ? clocks(booking) : span(booking);
  };
  const row = (booking: BookingRow) => (
    <tr key={booking.id}>
      <td>
        <a href={`/dashboard/${workspace_id}/bookings/${booking.id}`}>{when(booking)}</a>
        {!oneZone && <small>{booking.time_zone}</small>}
        <small class="reference">
          <code>{booking.reference}</code>
        </small>
      </td>
      <td title={booking.room_name}>{booking.room_name}</td>
      <BookerCell of={toBooker(booking, beside.members)} />
      <td>
        <code>{booking.reference}</code>
      </td>
      <td>
        <BookingStateBadge of={booking} changing={beside.changing.has(booking.id)} />
      </td>
      <td class="number">{amount(booking.price_minor, booking.currency)}</td>
    </tr>
  );
  return (
    <>
      {oneZone && !zones.has(time_zone) && <p class="soft">Times are in {[...zones][0]}.</p>}
      <div class="scroll">
        <table class="bookings">
          <thead>
            <tr>
              <th>When</th>
              <th>Room</th>
              <th>Booked by</th>
              <th>Reference</th>
              <th>Status</th>
              <th class="number">Price</th>
            </tr>
          </thead>
          {byDay ? (
            groupByDay(bookings, ctx).map(({ day, of }) => (
              <tbody key={of[0]!.id}>
                <tr class="day">
                  <th scope="rowgroup" colSpan={6}>
                    {day}
                    {day === today && <span class="soft"> Today</span>}
                  </th>
                </tr>
                {of.map(row)}
              </tbody>
            ))
          ) : (
            <tbody>{bookings.map(row)}</tbody>
          )}
        </table>
      </div>
    </>
  );
}
