import joi from 'joi';
import { findBound, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { wasRefused } from '../../../commands/bookings/change/plan.js';
import { changeBookingMetadata } from '../../../commands/bookings/change-metadata.js';
import { correctGuest } from '../../../commands/bookings/payer.js';
import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import { storeChange, type LinkHolder } from '../../../commands/bookings/public-guests.js';
import { changeUpdate } from '../../../contract/bookings.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRefundsById } from '../../../db/queries/payments/refund.js';
import {
  whyNotLive,
  type ChangeActor,
  type ChangeOutcome,
  type ChangeRequest,
} from '../../../domain/bookings/change.js';
import { whyNotCorrectGuest } from '../../../domain/bookings/guest-correction.js';
import { ON_AUTHENTICATION, type OnAuthentication } from '../../../domain/bookings/pending-change.js';
import { presentPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { refuse } from '../../../domain/errors.js';
import { mergeMetadata } from '../../../domain/metadata.js';
import { can, type Role } from '../../../domain/policies.js';
import { timestamp, uuid } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import { either, object, oneOf, typed, type Infer } from '../../http/typed.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { metadata } from '../shared/metadata.js';
import * as s from '../shared/shapes.js';
import {
  CHANGED,
  changedBooking,
  correctedGuest,
  details,
  extras,
  linkedBooking,
  presentBookingFor,
} from './booking.js';
import { confirmed, linked } from './examples.js';
import { bookingWithPendingChange, findPayableChange, type PayableChange } from './pending-change.js';
import { toChangeActor, executeUpdate, readOutcome, requested, type Deps } from './run-update.js';

/** Body of `PATCH /v1/bookings/{id}`: at least one of these. */
export const changeSchema = object({
  start_at: timestamp.description('The new start, on the slot grid of the room.'),
  end_at: timestamp.description('The new end, exclusive, on the slot grid of the room.'),
  room_id: uuid.description('The room to move the booking to.'),
  ...details.sent,
  extras: extras.description(
    'The complete list of extras. Extras that are not in the list are removed from the booking.',
  ),
  booked_by: object({ guest: correctedGuest }, 'guest').description(
    'Corrections to the email address or name of a guest. The previous links stop working, and ' +
      'emails are sent to the new address. Not allowed for bookings of members.',
  ),
  metadata: metadata.sent,
  on_authentication: oneOf(ON_AUTHENTICATION).description(
    'What to do if the change costs more and the payer’s bank requires authentication, or no card is on ' +
      'file. `fail` rejects the change; `link` keeps it pending until the payer has paid on a hosted ' +
      'page. Defaults to `fail`.',
  ),
})
  .min(1)
  .custom((body: object, helpers) => {
    const { on_authentication: _, ...changes } = body as { on_authentication?: unknown };
    // `min` reports an empty body.
    const isChange = Object.keys(changes).length > 0 || Object.keys(body).length === 0;
    return isChange ? body : helpers.error('object.min', { limit: 1 });
  })
  .required();
export type ChangeBody = Infer<typeof changeSchema> & {
  /** Set only by the dashboard's form: the card on file is not charged. */
  pay_by_link?: boolean;
  /** Set only by the dashboard's form: staff have received the difference. */
  taken?: ChangeRequest['taken'];
  /** Set only by the dashboard's form: the difference that it showed. */
  expected_difference_minor?: number;
};

/** The charge or refund of a change of price. */
const adjustment = either(
  s.shape({
    amount_minor: s.minor.description('The charged difference in minor units, positive.'),
    payment_id: s.prefixedId('pay').description('The payment of the difference.'),
  }),
  s.shape({
    amount_minor: s.minor.description('The refunded difference in minor units, negative.'),
    refund_id: s.prefixedId('pay').description('The refund of the difference.'),
  }),
  // Below the minimum charge: neither charged nor refunded.
  s.shape({
    amount_minor: typed<0>(joi.number().valid(0)).description(
      'Always 0: the difference is below the minimum charge.',
    ),
  }),
);

const bookingAfterChange = s.extend('ChangedBooking', linkedBooking, {
  adjustment: s
    .orNull(adjustment)
    .description('The charge or refund of the change. Null if the price is the same.'),
});

/** The result of a change of price in minor units: a positive amount was charged, a negative one refunded. */
export type PriceAdjustment =
  | { amount_minor: number; payment_id: string }
  | { amount_minor: number; refund_id: string }
  /** The difference was below the minimum charge. */
  | { amount_minor: 0 };

/** About how long a payer takes to pay, for clients that poll. */
const RETRY_AFTER_SECONDS = 15;

export const changeBooking = operation({
  route: 'PATCH /v1/bookings/:id',
  summary: 'Update a booking',
  description:
    'Changes the details, time, room or extras of a booking. With the role `front_desk`, `admin` or ' +
    '`owner`, a booking that has started can also get a later `end_at`. The change is applied ' +
    'completely or not at all. If the new price is higher, the difference is charged to the card on ' +
    'file; if it is lower, the difference is refunded according to the room’s `refund_steps`. ' +
    '`adjustment.amount_minor` is positive for a charge and negative for a refund. A difference ' +
    'below the payment processor’s minimum charge is neither charged nor refunded: ' +
    '`adjustment.amount_minor` is 0, and the price does not change. If the payer’s bank requires ' +
    'authentication, or no card is on file, the request fails with 402 `payment_failed` and ' +
    '`details.authentication_required` set to true. With `on_authentication: link`, it returns 202 ' +
    'with a `pending_change` instead: both slots are held, and the change is applied when the payer ' +
    'has paid at its `checkout_url`. `booked_by.guest` corrects the email address or name of a ' +
    'guest. The manage link and the payment link are then replaced, and the latest email about the ' +
    'booking is sent to a new address. `metadata` can be changed in any status.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  body: changeSchema,
  idempotent: true,
  responses: { 200: bookingAfterChange, 202: bookingWithPendingChange },
  errors: [
    'payment_failed',
    'tier_not_allowed',
    'room_not_found',
    'booking_not_editable',
    'change_pending',
    'limit_reached',
    'too_many_unpaid_bookings',
    'slot_unavailable',
    'extra_unavailable',
    'slot_misaligned',
    'processor_unconfigured',
    'amount_too_small',
    'processor_error',
  ],
  examples: {
    body: { ...CHANGED },
    response: { ...linked(confirmed), ...CHANGED, sequence: 1, adjustment: null },
  },
  async run({ params, body, idempotency }, caller, deps) {
    const booking = await findWorkspaceBooking(deps.db.manager, caller, params.id);
    const { on_authentication = 'fail', booked_by, metadata, ...changes } = body;
    const isRepeat = await findBound(deps.db.manager, caller.workspace_id, idempotency, wasRefused);
    if (booked_by && !isRepeat) refuse(whyNotCorrectGuest(booking));
    // Rejects too many keys before anything else is changed.
    mergeMetadata(booking.metadata, metadata);
    // The first of these parts binds the key. The guest and the metadata are changed last, because the rest
    // of the change can fail.
    const moves = Object.keys(changes).length > 0 || !(booked_by || metadata);
    const changed = moves
      ? await requestChange(deps, toChangeActor(caller), booking, {
          request: toChangeRequest(changes, caller.role),
          on_authentication,
          idempotency,
        })
      : { booking, adjustment: null, pending: null };
    let current = changed.booking;
    if (booked_by)
      current = await correctGuest(deps.db, deps.mailQuotas, caller, booking.id, booked_by.guest, {
        idempotency,
        isPart: moves,
      });
    if (metadata)
      current = await changeBookingMetadata(deps.db, caller, booking.id, metadata, {
        idempotency,
        isPart: moves || booked_by !== undefined,
      });
    return { ...changed, booking: presentBookingFor(deps, caller, current) };
  },
  reply: ({ booking, adjustment, pending }) =>
    pending
      ? {
          status: 202,
          headers: {
            Location: `/v1/bookings/${booking.id}/pending-change`,
            'Retry-After': String(RETRY_AFTER_SECONDS),
          },
          body: { booking, pending_change: presentPendingChange(pending) },
        }
      : { body: { ...booking, adjustment } },
});

/** The request as it is stored, with times in UTC milliseconds. `role` is the caller's. */
export function toChangeRequest(body: Omit<ChangeBody, 'booked_by' | 'metadata'>, role: Role): ChangeRequest {
  const { start_at, end_at, ...rest } = body;
  delete rest.on_authentication;
  const by_staff = can(role, 'all_bookings');
  return { ...rest, start_at: start_at?.getTime(), end_at: end_at?.getTime(), ...(by_staff && { by_staff }) };
}

/**
 * Changes a booking (docs/rules/bookings.md#changes). Returns the booking after the change, with its
 * `adjustment` or null, or as it is with the `pending` change that its payer is to pay. A repeat with the
 * same key carries on what the first request began, and gets the booking as it is. Errors: 402
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
    idempotency = null,
  }: {
    request: ChangeRequest;
    on_authentication: OnAuthentication;
    by_link?: LinkHolder;
    idempotency?: IdempotencyKey | null;
  },
): Promise<{ booking: BookingRow; adjustment: PriceAdjustment | null; pending: PayableChange | null }> {
  const { workspace_id, id } = booking;
  const before = await findBound(deps.db.manager, workspace_id, idempotency, wasRefused);
  if (!before) refuse(whyNotLive(booking.status));
  const of = { workspace_id, booking_id: id, actor };
  const change = { ...of, kind: 'change', request, on_authentication } as const;
  const changeId = await storeChange(deps.db, change, booking, { by_link, idempotency });
  // A repeat carries out a change that the first request has only stored.
  const state = changeId === before ? (await requested(deps.db.manager, changeId)).state : 'requested';
  if (state === 'refused')
    return { booking: await changedBooking(deps, booking), adjustment: null, pending: null };
  const isDecided = state === 'pending' || state === 'done';
  const outcome = isDecided ? null : await executeUpdate(deps, booking, changeUpdate, changeId);
  if (!outcome) {
    const pending = await findPayableChange(deps, id);
    // It has been paid or has ended since then, so its outcome is stored.
    if (pending?.id === changeId)
      return { booking: await changedBooking(deps, booking), adjustment: null, pending };
  }
  const done = outcome ?? (await readOutcome(deps, changeId));
  await awaitRefunds(deps, done.refund_ids);
  return {
    booking: await changedBooking(deps, booking),
    adjustment: await buildAdjustment(done),
    pending: null,
  };

  async function buildAdjustment({
    charged_minor,
    payment_id,
    refund_ids,
    waived,
  }: ChangeOutcome & { kind: 'done' }): Promise<PriceAdjustment | null> {
    if (payment_id) return { amount_minor: charged_minor, payment_id };
    const refunds = await findRefundsById(deps.db.manager, refund_ids);
    const refunded = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0);
    if (refunds[0]) return { amount_minor: -refunded, refund_id: refunds[0].id };
    return waived ? { amount_minor: 0 } : null;
  }
}
