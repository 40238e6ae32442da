import { joined } from '../../entities.js';
import { Booking } from '../../entities/bookings.js';
import { Room } from '../../entities/rooms.js';
import { Workspace } from '../../entities/workspaces.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { BOOK_AGAIN } from '../booking-page/booking-page.js';
import type { BookingRow } from './booking.js';

/**
 * A booking as its payer's pages show it. The `booking_url` of its workspace is where to
 * book again (`BOOK_AGAIN`).
 */
export type PayerBooking = BookingRow & { room: Room; workspace: Workspace };

const BOOKINGS = joined(Booking, 'b');
const ROOMS = joined(Room, 'r');
const WORKSPACES = joined(Workspace, 'w');

const FIND_PAYER_BOOKING = {
  name: 'find_payer_booking',
  text: `SELECT ${BOOKINGS.columns}, ${ROOMS.columns}, ${WORKSPACES.columns}, ${BOOK_AGAIN} AS booking_url
    FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN workspaces w ON w.id = b.workspace_id
    WHERE b.id = $1 AND b.published_at IS NOT NULL`,
};

/** A published booking for its payer, who knows its id, its session's id or its manage link. */
export async function findPayerBooking(tx: Tx, id: string): Promise<PayerBooking | null> {
  const row = await maybeOne<{ booking_url: string | null }>(tx, FIND_PAYER_BOOKING, [id]);
  if (!row) return null;
  const room = ROOMS.of(row);
  const workspace = { ...WORKSPACES.of(row), booking_url: row.booking_url };
  const { name: room_name, time_zone, reminder_hours } = room;
  return { ...BOOKINGS.of(row), room, workspace, room_name, time_zone, reminder_hours };
}
