import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { hasScope, type Principal } from '../../../domain/policies.js';
import { presentBooking } from '../../../domain/bookings/booking-presenter.js';
import type { ApiDependencies } from '../../dependencies.js';

/** Whether bookings have the link to manage them for a caller. */
export const hasManageLinks = (caller: Pick<Principal, 'resources' | 'actions'>): boolean =>
  hasScope(caller, 'calendar:write');

/**
 * A booking as the API returns it: as events carry it, and with the link to manage it for
 * callers with `calendar:write` (docs/rules/bookings.md#manage-link). Events have no link, since
 * anyone with it may cancel.
 */
export function presentBookingFor(
  { manageLinks }: Pick<ApiDependencies, 'manageLinks'>,
  principal: Pick<Principal, 'resources' | 'actions'>,
  booking: BookingRow,
) {
  const manage_url = hasManageLinks(principal) ? manageLinks.linkTo(booking) : null;
  return Object.assign(presentBooking(booking), { manage_url });
}
