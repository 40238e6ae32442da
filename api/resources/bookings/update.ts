import { findRefundsById } from '../../../db/queries/payments/refund.js';
import { insertChange } from '../../../commands/bookings/booking-changes.js';
import { insertMoveByLink, type LinkHolder } from '../../../commands/bookings/strangers.js';
import { correctGuest } from '../../../commands/bookings/correct-guest.js';
import { transaction } from '../../../db/transaction.js';
import { whyNotCorrectGuest } from '../../../domain/bookings/guest-correction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import {
  whyNotLive,
  type ChangeActor,
  type ChangeOutcome,
  type ChangeRequest,
} from '../../../domain/bookings/change.js';
import { refuse } from '../../../domain/errors.js';
import type { OnAuthentication } from '../../../domain/bookings/pending-change.js';
import { can, type Role } from '../../../domain/policies.js';
import { presentPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { changeUpdate } from '../../../contract/bookings.js';
import type { Handler } from '../../http/context.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { bookingOf, changedBooking } from './read.js';
import { findPayableChange, type PayableChange } from './pending-change.js';
import { presentBookingFor } from './present.js';
import { actorOf, executeUpdate, outcomeOf, type Deps } from './run-update.js';
import type { ChangeBody } from './change-shape.js';

/** The result of a change of price in minor units: a positive amount was charged, a negative one refunded. */
export type Adjustment =
  | { amount_minor: number; payment_id: string }
  | { amount_minor: number; refund_id: string }
  /** The difference was under the minimum charge. */
  | { amount_minor: 0 };

/** A payer needs about as long; clients that poll for the payment may ask again then. */
const RETRY_AFTER_SECONDS = 15;

/** `PATCH /v1/bookings/{id}`. A guest is corrected after the rest of the change, which can fail. */
export function update(deps: Deps & Pick<ApiDependencies, 'mailQuotas'>): Handler<ChangeBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const booking = await bookingOf(ctx, deps);
    const { on_authentication = 'fail', booked_by, ...changes } = body;
    if (booked_by) refuse(whyNotCorrectGuest(booking));
    const unchanged = { booking, adjustment: null, pending: null };
    const isOnlyGuest = booked_by !== undefined && Object.keys(changes).length === 0;
    const changed = isOnlyGuest
      ? unchanged
      : await requestChange(deps, actorOf(principal), booking, {
          request: changeRequestOf(changes, principal.role),
          on_authentication,
        });
    const current = booked_by
      ? await transaction(deps.db, (tx) =>
          correctGuest(tx, principal, deps.mailQuotas, booking.id, booked_by.guest),
        )
      : changed.booking;
    const shown = presentBookingFor(deps, principal, current);
    if (changed.pending) {
      ctx.status = 202;
      ctx.set('Location', `/v1/bookings/${booking.id}/pending-change`);
      ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      ctx.body = { booking: shown, pending_change: presentPendingChange(changed.pending) };
    } else ctx.body = { ...shown, adjustment: changed.adjustment };
  };
}

/** The request as it is stored, with times in UTC milliseconds. `role` is the caller's. */
export function changeRequestOf(body: Omit<ChangeBody, 'booked_by'>, role: Role): ChangeRequest {
  const { start_at, end_at, ...rest } = body;
  delete rest.on_authentication;
  const by_staff = can(role, 'all_bookings');
  return { ...rest, start_at: start_at?.getTime(), end_at: end_at?.getTime(), ...(by_staff && { by_staff }) };
}

/**
 * Changes a booking (docs/rules/bookings.md#changes). Returns the booking after the change, with its
 * `adjustment` or null, or as it is with the `pending` change that its payer is to pay. Errors: 402
 * `payment_failed`; 403 `tier_not_allowed`; 404 `room_not_found`; 409 `booking_not_editable`,
 * `change_pending`, `slot_unavailable`; 412 `processor_unconfigured` and 422 `amount_too_small` for a
 * link; 422 `slot_misaligned`, `validation_failed`; 502 `processor_error` if the link could not be
 * opened, or while it is unknown whether the card was charged; 429 of `insertMoveByLink`; 503, after
 * which nothing will be changed.
 */
export async function requestChange(
  deps: Deps,
  actor: ChangeActor,
  booking: BookingRow,
  {
    request,
    on_authentication,
    by_link,
  }: { request: ChangeRequest; on_authentication: OnAuthentication; by_link?: LinkHolder },
): Promise<{ booking: BookingRow; adjustment: Adjustment | null; pending: PayableChange | null }> {
  refuse(whyNotLive(booking.status));
  const { workspace_id, id } = booking;
  const of = { workspace_id, booking_id: id, actor };
  const change = { ...of, kind: 'change', request, on_authentication } as const;
  const changeId = by_link
    ? await transaction(deps.db, (tx) => insertMoveByLink(tx, change, booking, by_link))
    : await insertChange(deps.db.manager, change);
  const outcome = await executeUpdate(deps, booking, changeUpdate, changeId);
  if (!outcome) {
    const pending = await findPayableChange(deps, id);
    // It was paid, or has ended, since then: its outcome is stored.
    if (pending?.id === changeId)
      return { booking: await changedBooking(deps, booking), adjustment: null, pending };
  }
  const done = outcome ?? (await outcomeOf(deps, changeId));
  await awaitRefunds(deps, done.refund_ids);
  return {
    booking: await changedBooking(deps, booking),
    adjustment: await adjustmentOf(done),
    pending: null,
  };

  async function adjustmentOf({
    charged_minor,
    payment_id,
    refund_ids,
    waived,
  }: ChangeOutcome & { kind: 'done' }): Promise<Adjustment | null> {
    if (payment_id) return { amount_minor: charged_minor, payment_id };
    const refunds = await findRefundsById(deps.db.manager, refund_ids);
    const refunded = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0);
    if (refunds[0]) return { amount_minor: -refunded, refund_id: refunds[0].id };
    return waived ? { amount_minor: 0 } : null;
  }
}
