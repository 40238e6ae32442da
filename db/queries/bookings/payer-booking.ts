import { IsNull, Not } from 'typeorm';
import { Booking } from '../../entities/bookings.js';
import type { Room } from '../../entities/rooms.js';
import type { Workspace } from '../../entities/workspaces.js';
import type { Tx } from '../../transaction.js';
import { findBookAgain } from '../workspaces/booking-page.js';
import type { BookingRow } from './booking.js';

/** A booking as its payer's pages show it. The `booking_url` of its workspace is where to book again (`BOOK_AGAIN`). */
export type PayerBooking = BookingRow & { room: Room; workspace: Workspace };

/** A published booking for its payer, who knows its id, its session's id or its manage link. */
export async function findPayerBooking(tx: Tx, id: string): Promise<PayerBooking | null> {
  const [booking] = await tx.find(Booking, {
    where: { id, published_at: Not(IsNull()) },
    relations: { room: true, workspace: true },
  });
  if (!booking) return null;
  const { room, workspace: found } = booking as Required<Booking>;
  const workspace = { ...found, booking_url: await findBookAgain(tx, found.id) };
  const { name: room_name, time_zone, reminder_hours } = room;
  return { ...booking, room, workspace, room_name, time_zone, reminder_hours };
}
