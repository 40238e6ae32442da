import { whyNotCancel } from './cancellation.js';
import { whyNotChange } from './change.js';
import type { BookingStatus } from '../states.js';

/** What the payer can do with a booking by its link, apart from seeing it; moving includes cancelling. */
export type SelfService = 'move' | 'cancel' | 'see';

/**
 * What the link to a booking of `room` promises at `now` (docs/rules/bookings.md#manage-link): only what its
 * page offers. A booking that has begun can still be cancelled, but nobody is invited to.
 */
export function computeSelfService(
  booking: { status: BookingStatus; start_at: Date; end_at: Date },
  room: { self_service: boolean; edit_window_minutes: number },
  now: Date,
): SelfService {
  if (!room.self_service || booking.start_at <= now || whyNotCancel(booking, now)) return 'see';
  return whyNotChange(booking, room, now.getTime(), { moves: true }) ? 'cancel' : 'move';
}
