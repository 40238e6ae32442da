import { ApiError } from './errors.js';
import { BOOKING_TRANSITIONS, type BookingStatus } from './states.js';

/** Refuses a booking that can't be cancelled (any more): 409 `booking_not_cancellable`. */
export function assertCancellable(booking: { status: BookingStatus; end_at: Date }, now: Date): void {
  const statuses: readonly BookingStatus[] = BOOKING_TRANSITIONS.cancel.from;
  const live = statuses.includes(booking.status);
  if (live && now < booking.end_at) return;
  const message = live
    ? 'The booking has ended.'
    : `A booking with status ${booking.status} cannot be cancelled.`;
  throw new ApiError('booking_not_cancellable', message);
}
