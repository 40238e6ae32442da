import { rotateManageLink } from '../../../commands/bookings/manage-link.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { presentBookingFor } from './present.js';
import { bookingOf } from './read.js';

/** `POST /v1/bookings/{id}/rotate-manage-link` (docs/rules/bookings.md#manage-link) */
export function rotateLink(deps: Pick<ApiDependencies, 'db' | 'manageLinks'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { id } = await bookingOf(ctx, deps);
    const booking = await transaction(deps.db, (tx) => rotateManageLink(tx, principal, id));
    ctx.status = 200;
    ctx.body = presentBookingFor(deps, principal, booking);
  };
}
