import { insertChange } from '../../db/repositories/bookings/booking-changes.js';
import { findCancellationRefunds } from '../../db/repositories/bookings/booking-change-queries.js';
import { findBooking, type BookingRow } from '../../db/repositories/bookings/booking-queries.js';
import { findRefundsById } from '../../db/repositories/billing/refund-queries.js';
import { assertCancellable } from '../../domain/booking-cancellation.js';
import { ApiError } from '../../domain/errors.js';
import { can, type Principal } from '../../domain/policies.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import { presentRefunds } from '../../domain/presenters/refund.js';
import { cancelBooking as cancelUpdate } from '../../workflows/contract.js';
import type { Handler } from '../http/context.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { bookingOf } from './read.js';
import { actorOf, executeUpdate, type Deps } from './run-update.js';
import type { CancelBody } from './schema.js';

/** `POST /v1/bookings/{id}/cancel` */
export function cancel(deps: Deps): Handler {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const cancelled = await cancelBooking(deps, principal, await bookingOf(ctx, deps), body as CancelBody);
    ctx.status = 200;
    ctx.body = cancelled;
  };
}

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation). Returns the booking with its `refund` or null; a cancelled one
 * is returned as it is. Errors: 403 `role_insufficient` if a member requests a full refund; 409
 * `booking_not_cancellable`; 503.
 */
export async function cancelBooking(deps: Deps, principal: Principal, booking: BookingRow, body: CancelBody) {
  if (body.refund_policy === 'full' && !can(principal.role, 'all_bookings')) {
    const message = 'refund_policy full requires the role admin or owner. Send standard or none.';
    throw new ApiError('role_insufficient', message);
  }
  const { workspace_id, id } = booking;
  const { manager } = deps.db;
  if (booking.status !== 'cancelled') {
    assertCancellable(booking, new Date());
    const changeId = await insertChange(manager, {
      workspace_id,
      booking_id: id,
      actor: actorOf(principal),
      kind: 'cancel',
      request: { ...body, reason: body.reason || null },
    });
    const { refund_ids } = await executeUpdate(deps, booking, cancelUpdate, changeId);
    await awaitRefunds(deps, refund_ids);
  }
  const refundIds = await findCancellationRefunds(manager, id);
  const cancelled = (await findBooking(manager, workspace_id, id))!;
  return { ...presentBooking(cancelled), refund: presentRefunds(await findRefundsById(manager, refundIds)) };
}
