import type { DataSource } from 'typeorm';
import { markNoShow as storeNoShow } from '../../../commands/bookings/mark-no-show.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { presentBookingFor } from './present.js';
import { bookingOf } from './read.js';

/** `POST /v1/bookings/{id}/no-show` */
export function noShow(deps: Pick<ApiDependencies, 'db' | 'manageLinks'>): Handler {
  return async (ctx) => {
    const marked = await markNoShow(deps.db, await bookingOf(ctx, deps));
    ctx.status = 200;
    ctx.body = presentBookingFor(deps, ctx.state.principal, marked);
  };
}

/**
 * Marks a no-show (docs/rules/bookings.md#no-show) in one transaction, since the booking's run may have ended. Marking
 * again changes nothing. Errors: 409 `booking_not_started`, `booking_not_editable`.
 */
export function markNoShow(db: DataSource, booking: BookingRow): Promise<BookingRow> {
  return transaction(db, (tx) => storeNoShow(tx, booking.id));
}
