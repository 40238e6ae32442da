import { findPendingChange, type PendingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ChangeActor } from '../../../domain/bookings/change.js';
import { ApiError, refuse } from '../../../domain/errors.js';
import { whyNotWithdraw } from '../../../domain/bookings/pending-change.js';
import { presentPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { withdrawUpdate } from '../../../contract/bookings.js';
import type { Handler } from '../../http/context.js';
import { serviceUnavailable } from '../../http/errors.js';
import { bookingOf } from './read.js';
import { actorOf, requested, updateRun, type Deps } from './run-update.js';

/** A change that its payer can pay now. */
export type PayableChange = PendingChange & { checkout_url: string; expires_at: Date };

/** The change of a booking that its payer can pay now, or null. */
export async function findPayableChange({ db }: Deps, bookingId: string): Promise<PayableChange | null> {
  const pending = await findPendingChange(db.manager, bookingId);
  return pending?.checkout_url && pending.expires_at ? (pending as PayableChange) : null;
}

/** `GET /v1/bookings/{id}/pending-change` */
export function getPendingChange(deps: Deps): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const pending = await findPayableChange(deps, booking.id);
    refuse(whyNotWithdraw(pending));
    ctx.body = presentPendingChange(pending!);
  };
}

/** `DELETE /v1/bookings/{id}/pending-change` */
export function removePendingChange(deps: Deps): Handler {
  return async (ctx) => {
    await withdrawPendingChange(deps, actorOf(ctx.state.principal), await bookingOf(ctx, deps));
    ctx.status = 204;
  };
}

/**
 * Withdraws the change of a booking that waits for its payment
 * (docs/rules/bookings.md#paying-the-difference-by-link). Errors: 404 `not_found` if there is none;
 * 409 `booking_not_editable` if it was paid meanwhile; 503 if it is not known in time, after which
 * it may still be withdrawn.
 */
export async function withdrawPendingChange(deps: Deps, by: ChangeActor, booking: BookingRow): Promise<void> {
  const { manager } = deps.db;
  const pending = await findPendingChange(manager, booking.id);
  refuse(whyNotWithdraw(pending));
  const { id } = pending!;
  try {
    await updateRun(deps, booking, withdrawUpdate, { changeId: id, by, updateId: `withdraw-${id}` });
  } catch (error) {
    deps.log.warn({ err: error, changeId: id }, 'change not withdrawn in time');
  }
  const { state } = await requested(manager, id);
  if (state === 'done') {
    const message = 'The change was paid before it could be withdrawn. The booking is changed.';
    throw new ApiError('booking_not_editable', message, { details: { reason: 'paid' } });
  }
  if (state !== 'refused') throw serviceUnavailable('The change could not be withdrawn in time. Try again.');
}
