import { ApiError } from '../errors.js';
import { can, type Principal } from '../policies.js';

/** Returns the error for a booking that the workspace does not have, or that the caller may not see. */
export const noSuchBooking = (): ApiError => new ApiError('booking_not_found', 'No such booking.');

/** True if a caller may see a booking of their workspace: their own, or any booking for staff. */
export const seesBooking = (
  { role, member_id }: Pick<Principal, 'role' | 'member_id'>,
  booking: { member_id: string | null },
): boolean => booking.member_id === member_id || can(role, 'all_bookings');

/**
 * True if a booking of a public guest is there for them: published, or waiting for the link in its mail to be
 * opened. A link that has ended leaves no trace (docs/rules/booking-page.md#free-bookings).
 */
export const isThereForGuest = (
  booking: { published_at: Date | null; confirm_until: Date | null },
  now: Date,
): boolean =>
  booking.published_at !== null || (booking.confirm_until !== null && booking.confirm_until > now);
