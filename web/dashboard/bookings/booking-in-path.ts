import { type BookingRow, findBooking } from '../../../db/queries/bookings/booking.js';
import { seesBooking } from '../../../domain/bookings/visibility.js';
import { isBookingId } from '../../../api/resources/bookings/booking.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { PageError } from '../../ui/browser.js';
import type { PageProps } from '../forms/page.js';

/** The booking in the path if the member may see it. */
export async function requireVisibleBooking(ctx: ApiContext, { db }: ApiDependencies): Promise<BookingRow> {
  const membership = ctx.state.membership!;
  const { id } = ctx.params;
  const booking = isBookingId(id!) ? await findBooking(db.manager, membership.workspace_id, id!) : null;
  if (!booking || !seesBooking(membership, booking))
    throw new PageError(404, 'Booking not found', 'Search for it in the list of bookings.');
  return booking;
}

export interface OneBooking {
  booking: BookingRow;
}

export const bookingPath = (ctx: ApiContext): string => `/bookings/${ctx.params.id}`;

/** Page props of the booking in the path, whose forms are also used on other pages. */
export const onBooking = <Data>(ctx: ApiContext, data: Data): PageProps<Data> => ({
  ctx,
  at: bookingPath(ctx),
  data,
});
