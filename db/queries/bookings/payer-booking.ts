import { Room } from '../../entities/rooms.js';
import { Workspace } from '../../entities/workspaces.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { BookingRow } from './booking.js';

/**
 * A booking as its payer's pages show it. The `booking_url` of its workspace is where payers can book again.
 */
export type PayerBooking = BookingRow & { room: Room; workspace: Workspace };

const FIND_PAYER_BOOKING = {
  name: 'find_payer_booking',
  text: `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours,
    book_again_url(b.workspace_id) AS booking_url
    FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1 AND b.published_at IS NOT NULL`,
};

/** Returns a published booking for its payer, who has its id, its session's id or its manage link. */
export async function findPayerBooking(tx: Tx, id: string): Promise<PayerBooking | null> {
  const row = await maybeOne<BookingRow & Pick<Workspace, 'booking_url'>>(tx, FIND_PAYER_BOOKING, [id]);
  if (!row) return null;
  const { booking_url, ...booking } = row;
  const room = await tx.findOneByOrFail(Room, { id: booking.room_id });
  const workspace = await tx.findOneByOrFail(Workspace, { id: booking.workspace_id });
  return { ...booking, room, workspace: { ...workspace, booking_url } };
}
