import type { BookingRow } from '../../../db/repositories/bookings/booking-queries.js';
import type { BookingMember } from '../../../db/repositories/workspaces/dashboard-queries.js';
import { formatMoney } from '../../../domain/money.js';
import { formatTime } from '../../../domain/presenters/booking.js';
import { Status } from '../shared/layout.js';

/** The booker, a guest or a member; empty for an erased one. */
export function bookerOf(booking: BookingRow, members: Map<string, BookingMember>): Partial<BookingMember> {
  const member = booking.member_id ? members.get(booking.member_id) : undefined;
  return member ?? { name: booking.guest_name ?? undefined, email: booking.guest_email ?? undefined };
}

/** Bookings with links to their pages. */
export function BookingTable(props: {
  bookings: BookingRow[];
  members: Map<string, BookingMember>;
  home: string;
}) {
  const { bookings, members, home } = props;
  if (bookings.length === 0) return <p class="soft">No bookings.</p>;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Room</th>
            <th>Booked by</th>
            <th>Status</th>
            <th>Price</th>
          </tr>
        </thead>
        <tbody>
          {bookings.map((booking) => (
            <tr key={booking.id}>
              <td>
                <a href={`${home}/bookings/${booking.id}`}>{formatTime(booking)}</a>
              </td>
              <td>{booking.room_name}</td>
              <td>{bookerOf(booking, members).name ?? 'erased'}</td>
              <td>
                <Status value={booking.status} />
              </td>
              <td class="number">
                {formatMoney({ amount_minor: booking.price_minor, currency: booking.currency })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
