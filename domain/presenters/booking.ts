import { detailsOf, type BookingDetails } from '../booking-details.js';
import type { BookingStatus, ConfirmationSource } from '../states.js';
import { wallClock } from '../time-zone.js';
import { iso } from './iso.js';

/** The input of `presentBooking`: a row of `bookings` with its room's name. */
export interface BookingFacts extends BookingDetails {
  id: string;
  status: BookingStatus;
  checkout_url: string | null;
  expires_at: Date | null;
  room_id: string;
  room_name: string;
  start_at: Date;
  end_at: Date;
  member_id: string | null;
  guest_email: string | null;
  guest_name: string | null;
  company_id: string | null;
  currency: string;
  price_minor: number;
  hour_credits_used: number;
  /** The payment terms of a booking on account; null for any other. */
  account_days: number | null;
  invoice_id: string | null;
  processor_payment_intent_id: string | null;
  confirmation_source: ConfirmationSource | null;
  sequence: number;
  created_at: Date;
  updated_at: Date;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  completed_at: Date | null;
  no_show_at: Date | null;
}

/** A booking as the API returns it and events carry it (docs/rules/bookings.md). Amounts in minor units. */
export function presentBooking(booking: BookingFacts) {
  return {
    id: booking.id,
    status: booking.status,
    checkout_url: booking.checkout_url,
    expires_at: iso(booking.expires_at),
    room: { id: booking.room_id, name: booking.room_name },
    room_id: booking.room_id,
    start_at: booking.start_at.toISOString(),
    end_at: booking.end_at.toISOString(),
    booked_by: booking.member_id
      ? { member_id: booking.member_id }
      : { guest: { email: booking.guest_email, name: booking.guest_name } },
    member_id: booking.member_id,
    company_id: booking.company_id,
    ...detailsOf(booking),
    price: { currency: booking.currency, amount_minor: booking.price_minor },
    tokens_used: booking.hour_credits_used,
    settle: booking.account_days === null ? ('checkout' as const) : ('on_account' as const),
    invoice_id: booking.invoice_id,
    processor_payment_intent_id: booking.processor_payment_intent_id,
    confirmation_source: booking.confirmation_source,
    sequence: booking.sequence,
    created_at: booking.created_at.toISOString(),
    updated_at: booking.updated_at.toISOString(),
    confirmed_at: iso(booking.confirmed_at),
    cancelled_at: iso(booking.cancelled_at),
    completed_at: iso(booking.completed_at),
    no_show_at: iso(booking.no_show_at),
  };
}

export type PresentedBooking = ReturnType<typeof presentBooking>;

/** `Blue room, 1 Dec 2026, 10:00 – 12:00 (Europe/London)`, for payers and operators. Contains no personal data. */
export function describeBooking(booking: {
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
}): string {
  return `${booking.room_name}, ${formatTime(booking)}`;
}

/** A booked time in British English, in the room's zone. `Intl` would take 0.25 ms. */
export function formatTime(booking: { time_zone: string; start_at: Date; end_at: Date }): string {
  const { time_zone, start_at, end_at } = booking;
  const start = readingOf(start_at, time_zone);
  const end = readingOf(end_at, time_zone);
  const until = start.day === end.day ? `–${end.time}` : `\u2009–\u2009${end.day}, ${end.time}`;
  return `${start.day}, ${start.time}${until} (${time_zone})`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** Date and time of an instant in a zone: `1 Dec 2026` and `10:00`. */
function readingOf(at: Date, timeZone: string): { day: string; time: string } {
  const wall = new Date(wallClock(at.getTime(), timeZone));
  const day = `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`;
  return { day, time: wall.toISOString().slice(11, 16) };
}
