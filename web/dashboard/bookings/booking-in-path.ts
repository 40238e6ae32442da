import { type BookingRow, findBooking } from '../../../db/queries/bookings/booking.js';
import { can } from '../../../domain/policies.js';
import { isBookingId } from '../../../api/resources/bookings/shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { PageError } from '../../ui/browser.js';

/** The booking in the path if the member may see it. */
export async function bookingOf(ctx: ApiContext, { db }: ApiDependencies): Promise<BookingRow> {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  const { id } = ctx.params;
  const booking = isBookingId(id!) ? await findBooking(db.manager, workspace_id, id!) : null;
  if (!booking || !(booking.member_id === member_id || can(role, 'all_bookings')))
    throw new PageError(404, 'Booking not found', 'Search for it in the list of bookings.');
  return booking;
}

export const pathOf = (ctx: ApiContext): string => `/bookings/${ctx.params.id}`;
