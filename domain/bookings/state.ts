import { isRunning } from './change.js';
import type { BookingStatus } from '../states.js';

/** The status of a booking, or `no_show` if nobody came. */
export type BookingOutcome = BookingStatus | 'no_show';
export type BookingState = BookingOutcome | 'running';

/** The names of a booking's states on pages. The API's values stay the same. */
export const BOOKING_WORDS: Record<BookingState, string> = {
  pending_payment: 'not paid yet',
  confirmed: 'confirmed',
  running: 'running',
  completed: 'completed',
  no_show: 'no-show',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** The name of a change that waits for payment; its booking holds both slots. */
export const WAITING_CHANGE = 'change not paid yet';

/** The outcomes by which lists can be filtered. */
export const BOOKING_OUTCOMES = [
  'pending_payment',
  'confirmed',
  'completed',
  'no_show',
  'cancelled',
  'expired',
] as const satisfies BookingOutcome[];

/** Returns the filter for bookings with an outcome. No-shows do not count as completed. */
export const withOutcome = (
  outcome: BookingOutcome | '' | undefined,
): { status?: BookingStatus; no_show?: boolean } =>
  outcome === 'no_show' ? { no_show: true } : outcome ? { status: outcome, no_show: false } : {};

export const bookingOutcome = (booking: { status: BookingStatus; no_show_at: Date | null }): BookingOutcome =>
  booking.no_show_at ? 'no_show' : booking.status;

/** Returns the state of a booking at `now`: its outcome, or that it is running. */
export const bookingState = (
  booking: { status: BookingStatus; no_show_at: Date | null; start_at: Date; end_at: Date },
  now: Date,
): BookingState => (isRunning(booking, now.getTime()) ? 'running' : bookingOutcome(booking));

/** True if a hold is over, and it is not known yet whether it was paid in time. */
export const hasHoldLapsed = (
  { status, expires_at }: { status: BookingStatus; expires_at: Date | null },
  now: Date,
): boolean => status === 'pending_payment' && expires_at !== null && expires_at <= now;
