import { isRunning } from './change.js';
import type { BookingStatus } from '../states.js';

/** What has become of a booking: its status, and for one that nobody came to, that. */
export type BookingOutcome = BookingStatus | 'no_show';
export type BookingState = BookingOutcome | 'running';

/** What people call the states of a booking. The API's words stay the same. */
export const BOOKING_WORDS: Record<BookingState, string> = {
  pending_payment: 'not paid yet',
  confirmed: 'confirmed',
  running: 'running',
  completed: 'completed',
  no_show: 'no-show',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** What people call a change that waits for its payment; its booking holds both slots. */
export const WAITING_CHANGE = 'change not paid yet';

/** What lists can be filtered by. */
export const BOOKING_OUTCOMES = [
  'pending_payment',
  'confirmed',
  'completed',
  'no_show',
  'cancelled',
  'expired',
] as const satisfies BookingOutcome[];

/** The filter of the bookings with an outcome: completed ones are without no-shows. */
export const withOutcome = (
  outcome: BookingOutcome | '' | undefined,
): { status?: BookingStatus; no_show?: boolean } =>
  outcome === 'no_show' ? { no_show: true } : outcome ? { status: outcome, no_show: false } : {};

export const bookingOutcome = (booking: { status: BookingStatus; no_show_at: Date | null }): BookingOutcome =>
  booking.no_show_at ? 'no_show' : booking.status;

/** The state of a booking at `now`: its outcome, or that it runs. */
export const bookingState = (
  booking: { status: BookingStatus; no_show_at: Date | null; start_at: Date; end_at: Date },
  now: Date,
): BookingState =>
  !booking.no_show_at && isRunning(booking, now.getTime()) ? 'running' : bookingOutcome(booking);
