import type { BookingRow } from '../../db/repositories/bookings.js';
import { formatMoney } from '../../domain/money.js';
import { formatTime } from '../../domain/presenters/booking.js';
import { Status } from './layout.js';

/** Bookings, each with a link to its page. */
export function BookingTable({ bookings, home }: { bookings: BookingRow[]; home: string }) {
  if (bookings.length === 0) return <p class="soft">No bookings here.</p>;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>Room</th>
            <th>Who</th>
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
              <td>{booking.guest_name ?? (booking.member_id ? 'a member' : 'erased')}</td>
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
