import { markNoShow } from '../../../commands/bookings/mark-no-show.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { presentBookingFor } from './present.js';
import { bookingOf } from './read.js';

/** `POST /v1/bookings/{id}/no-show`. Errors: 409 `booking_not_started`, `booking_not_editable`. */
export function noShow(deps: Pick<ApiDependencies, 'db' | 'manageLinks'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { id } = await bookingOf(ctx, deps);
    const marked = await transaction(deps.db, (tx) => markNoShow(tx, principal, id));
    ctx.status = 200;
    ctx.body = presentBookingFor(deps, principal, marked);
  };
}
