import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import { bindAlone, findBound, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { withdrawUpdate } from '../../../contract/bookings.js';
import { findPendingChange, type PendingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ChangeActor } from '../../../domain/bookings/change.js';
import { PENDING_ENDS, whyNotWithdraw } from '../../../domain/bookings/pending-change.js';
import { presentPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { ApiError, refuse } from '../../../domain/errors.js';
import { serviceUnavailable } from '../../http/errors.js';
import { operation } from '../../http/operation.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';
import { booking, linkedBooking } from './booking.js';
import { PENDING_CHANGE } from './examples.js';
import { toChangeActor, requested, updateRun, type Deps } from './run-update.js';

const pendingChangeFields = {
  id: s.prefixedId('chg').description('The id of the change.'),
  checkout_url: s.anyText.description('The URL of the hosted page where the payer pays the difference.'),
  amount_minor: s.minor.description('The difference to pay, in minor units.'),
  expires_at: s.instant.description('The time at which the change lapses unless it is paid.'),
};

/** A change that is waiting for payment (`presentPendingChange`). */
export const pendingChange = s.presentedBy(
  presentPendingChange,
  s.shape('PendingChange', pendingChangeFields),
);

/** A booking that is unchanged until its change is paid. */
export const bookingWithPendingChange = s.shape('BookingWithPendingChange', {
  booking: linkedBooking.description('The booking, which is unchanged. Both slots are held.'),
  pending_change: pendingChange.description('The change that is awaiting payment.'),
});

/** The object of the events of a pending change. */
export const bookingOfPendingChange = s.extend('BookingOfPendingChange', booking, {
  pending_change: s
    .shape({
      ...pendingChangeFields,
      ended: s
        .orNull(oneOf(PENDING_ENDS.filter((end) => end !== 'not_opened')))
        .description(
          'Why the change was not applied: it `lapsed` or was `withdrawn`, or the booking was ' +
            '`cancelled` or is `over`. Null while the change can be paid.',
        ),
    })
    .description('The change that is awaiting payment.'),
});

export const getPendingChange = operation({
  route: 'GET /v1/bookings/:id/pending-change',
  summary: 'Get a pending change',
  description:
    'Returns the change of a booking that is awaiting payment. Fails with 404 `not_found` if there is ' +
    'none, or if it was paid or withdrawn, or has lapsed.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  responses: { 200: pendingChange },
  errors: ['not_found'],
  examples: { response: PENDING_CHANGE },
  async run({ params }, caller, deps) {
    const booking = await findWorkspaceBooking(deps.db.manager, caller, params.id);
    const pending = await findPayableChange(deps, booking.id);
    refuse(whyNotWithdraw(pending));
    return presentPendingChange(pending!);
  },
});

export const deletePendingChange = operation({
  route: 'DELETE /v1/bookings/:id/pending-change',
  summary: 'Withdraw a pending change',
  description:
    'Withdraws the change of a booking that is awaiting payment. The booking stays as it is and holds ' +
    'only its own slot. Fails with 409 `booking_not_editable` if the payer has already paid. A payment ' +
    'that arrives later is refunded in full.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  idempotent: true,
  responses: { 204: null },
  errors: ['not_found', 'booking_not_editable'],
  async run({ params, idempotency }, caller, deps) {
    const booking = await findWorkspaceBooking(deps.db.manager, caller, params.id);
    await withdrawPendingChange(deps, toChangeActor(caller), booking, idempotency);
  },
});

/** A change that its payer can pay now. */
export type PayableChange = PendingChange & { checkout_url: string; expires_at: Date };

/** The change of a booking that its payer can pay now, or null. */
export async function findPayableChange({ db }: Deps, bookingId: string): Promise<PayableChange | null> {
  const pending = await findPendingChange(db.manager, bookingId);
  return pending?.checkout_url && pending.expires_at ? (pending as PayableChange) : null;
}

/**
 * Withdraws the pending change of a booking (docs/rules/bookings.md#paying-the-difference-by-link). A repeat
 * with the same key refers to the change of the first request. Errors: 404 `not_found` if there is none; 409
 * `booking_not_editable` if it was paid in the meantime, `idempotency_conflict`; 503 if the outcome is not
 * known in time: the change may still be withdrawn afterwards.
 */
export async function withdrawPendingChange(
  deps: Deps,
  by: ChangeActor,
  booking: BookingRow,
  idempotency: IdempotencyKey | null = null,
): Promise<void> {
  const { manager } = deps.db;
  const { workspace_id } = booking;
  const before = await findBound(manager, workspace_id, idempotency);
  const pending = before ? null : await findPendingChange(manager, booking.id);
  if (!before) refuse(whyNotWithdraw(pending));
  const id = before ?? pending!.id;
  if (before) {
    const { state } = await requested(manager, id);
    if (state === 'refused') return;
  } else await bindAlone(deps.db, workspace_id, idempotency, id);
  try {
    await updateRun(deps, booking, withdrawUpdate, { changeId: id, by, updateId: `withdraw-${id}` });
  } catch (error) {
    deps.log.warn({ err: error, changeId: id }, 'change not withdrawn in time');
  }
  const { state } = await requested(manager, id);
  if (state === 'done') {
    const message = 'The change was paid before it could be withdrawn. It has been applied to the booking.';
    throw new ApiError('booking_not_editable', message, { details: { reason: 'paid' } });
  }
  if (state !== 'refused') throw serviceUnavailable('The change could not be withdrawn in time. Try again.');
}
