import { DAY_MS } from '../durations.js';
import type { Refusal } from '../errors.js';
import type { BookingStatus } from '../states.js';

/** How many days after its end a booking can be marked. */
const NO_SHOW_DAYS = 7;

type Reason =
  | { reason: 'marked' }
  | { reason: 'status'; status: BookingStatus }
  | { reason: 'not_started' }
  | { reason: 'too_late' };

/**
 * Returns a sentence about what marking a no-show means for the booking's money; empty if it cost nothing.
 */
export function describeNoShow(booking: {
  on_account: boolean;
  price_minor: number;
  hour_credits_used: number;
}): string {
  const { on_account, price_minor, hour_credits_used } = booking;
  const kept = hour_credits_used > 0;
  if (price_minor === 0) return kept ? 'Hour credits are not returned.' : '';
  if (on_account) return `Its invoice stays as it is${kept ? ', and hour credits are not returned' : ''}.`;
  return `Nothing is refunded${kept ? ', and hour credits are not returned' : ''}.`;
}

/**
 * Returns why a booking cannot be marked as a no-show, or null (docs/rules/bookings.md#no-show). It can be
 * marked once, from its start until a week after its end.
 */
export function whyNotMarkNoShow(
  booking: { status: BookingStatus; start_at: Date; end_at: Date; no_show_at: Date | null },
  now: Date,
): Refusal<Reason> | null {
  const { status, start_at, end_at, no_show_at } = booking;
  if (no_show_at)
    return {
      code: 'booking_not_editable',
      message: 'The booking is marked as a no-show.',
      details: { reason: 'marked' },
    };
  if (status !== 'confirmed' && status !== 'completed')
    return {
      code: 'booking_not_editable',
      message: `A booking with status ${status} cannot be marked as a no-show.`,
      details: { reason: 'status', status },
    };
  if (now < start_at)
    return {
      code: 'booking_not_started',
      message: 'The booking has not started yet. Mark the no-show after its start.',
      details: { reason: 'not_started' },
    };
  if (now.getTime() > end_at.getTime() + NO_SHOW_DAYS * DAY_MS)
    return {
      code: 'booking_not_editable',
      message:
        `The booking ended more than ${NO_SHOW_DAYS} days ago, so it can no longer be marked as a ` +
        'no-show.',
      details: { reason: 'too_late' },
    };
  return null;
}
