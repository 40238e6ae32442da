import { whyNotCancel } from './cancellation.js';
import { whyNotChange } from './change.js';
import type { BookingStatus } from '../states.js';

/** What the payer can do with a booking's manage link. Moving includes cancelling. */
export type SelfService = 'move' | 'cancel' | 'see';

/**
 * Returns what mails offer with the manage link of a booking at `now` (docs/rules/bookings.md#manage-link):
 * no more than its page allows. A booking that has begun can still be cancelled, but is not advertised as
 * such.
 */
export function computeSelfService(
  booking: { status: BookingStatus; start_at: Date; end_at: Date },
  room: { self_service: boolean; edit_window_minutes: number },
  now: Date,
): SelfService {
  if (!room.self_service || booking.start_at <= now || whyNotCancel(booking, now)) return 'see';
  return whyNotChange(booking, room, now.getTime(), { moves: true }) ? 'cancel' : 'move';
}
