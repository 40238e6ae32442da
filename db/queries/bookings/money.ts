import type { BookingMoney } from '../../../domain/bookings/money.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';

const FIND_BOOKING_MONEY = {
  name: 'find_booking_money',
  text: `SELECT m.money FROM bookings b, booking_money(b) m WHERE b.id = $1`,
};

/** Returns what has been received for a booking, and how much of it was returned. */
export async function findBookingMoney(tx: Tx, bookingId: string): Promise<BookingMoney> {
  return (await one<{ money: BookingMoney }>(tx, FIND_BOOKING_MONEY, [bookingId])).money;
}
