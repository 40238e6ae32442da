import type { Pricing } from '../rates/price-lines.js';
import { presentExtras } from './booking-presenter.js';

/** The input of `presentPreparation`: a row of `bookings` with its room's name. */
export interface PreparedBooking {
  id: string;
  reference: string;
  room_id: string;
  room_name: string;
  start_at: Date;
  end_at: Date;
  attendees: number;
  notes: string | null;
  pricing: Pricing | null;
}

/** What staff prepare for a booking, as the API returns it (docs/rules/extras.md#preparations). */
export const presentPreparation = (booking: PreparedBooking) => ({
  booking_id: booking.id,
  reference: booking.reference,
  room: { id: booking.room_id, name: booking.room_name },
  start_at: booking.start_at.toISOString(),
  end_at: booking.end_at.toISOString(),
  attendees: booking.attendees,
  notes: booking.notes,
  extras: presentExtras(booking),
});
