import { ApiError } from './errors.js';
import type { RefundPolicy } from './refund-policy.js';
import { BOOKING_TRANSITIONS, type BookingStatus } from './states.js';

/** A requested cancellation. */
export interface CancelRequest {
  reason: string | null;
  refund_policy: RefundPolicy;
  notify_attendees: boolean;
}

/** Throws 409 `booking_not_cancellable` if a booking cannot be cancelled, or no longer. */
export function assertCancellable(booking: { status: BookingStatus; end_at: Date }, now: Date): void {
  const statuses: readonly BookingStatus[] = BOOKING_TRANSITIONS.cancel.from;
  const live = statuses.includes(booking.status);
  if (live && now < booking.end_at) return;
  const message = live
    ? 'The booking has ended and can no longer be cancelled.'
    : `A booking with status ${booking.status} cannot be cancelled.`;
  throw new ApiError('booking_not_cancellable', message);
}
