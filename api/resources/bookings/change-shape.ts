import joi from 'joi';
import type { ChangeRequest } from '../../../domain/bookings/change.js';
import { ON_AUTHENTICATION, PENDING_ENDS } from '../../../domain/bookings/pending-change.js';
import { presentPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { REFUND_POLICIES } from '../../../domain/bookings/refund-policy.js';
import { PAYMENT_STATUSES } from '../../../domain/states.js';
import { text, timestamp, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  either,
  integer,
  nullable,
  object,
  oneOf,
  typed,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import * as s from '../shared/shapes.js';
import { booking, correctedGuest, details, extras, linkedBooking } from './shape.js';

/** Body of `PATCH /v1/bookings/{id}`: at least one of these. */
export const changeSchema = object({
  start_at: timestamp.description('The new start, on the slot grid of the room.'),
  end_at: timestamp.description('The new end, exclusive, on the slot grid of the room.'),
  room_id: uuid.description('The room to move the booking to.'),
  ...details.sent,
  extras: extras.description('All extras that the booking is to have. Those that are absent are taken off.'),
  booked_by: object({ guest: correctedGuest }, 'guest').description(
    'Corrects the address or name of a guest. The previous links end, and mail goes to the new ' +
      'address. Not for members.',
  ),
  on_authentication: oneOf(ON_AUTHENTICATION).description(
    'What to do if the change costs more and the payer’s bank requires authentication, or no card is on ' +
      'file. `fail` rejects the change; `link` keeps it pending until the payer has paid on a hosted ' +
      'page. Defaults to `fail`.',
  ),
})
  .min(1)
  .custom((body: object, helpers) => {
    const { on_authentication: _, ...changes } = body as { on_authentication?: unknown };
    // `min` says it of an empty body.
    const isChange = Object.keys(changes).length > 0 || Object.keys(body).length === 0;
    return isChange ? body : helpers.error('object.min', { limit: 1 });
  })
  .required();
export type ChangeBody = Infer<typeof changeSchema> & {
  /** Of the dashboard's form only: the card on file is not charged. */
  pay_by_link?: boolean;
  /** Of it only, too: staff have received the difference. */
  taken?: ChangeRequest['taken'];
};

/** Body of `POST /v1/bookings/{id}/cancel`; every field is optional. */
export const cancelSchema = object({
  reason: nullable(text(1_000).allow('')).description('The reason, shown in the audit log and the email.'),
  refund_policy: oneOf(REFUND_POLICIES).description(
    'How much to refund: according to the room’s `refund_steps` (`standard`), everything (`full`) or ' +
      'nothing (`none`). Defaults to `standard`.',
  ),
  refund_amount_minor: integer
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .description(
      'The amount to refund in minor units, in place of `refund_policy`: at most what is ' +
        'left of the payments.',
    ),
  notify_attendees: withDefault(
    boolean.description('Whether to email the booker about the cancellation.'),
    true,
  ),
})
  .oxor('refund_policy', 'refund_amount_minor')
  .required();
export type CancelBody = Infer<typeof cancelSchema>;

const refundFields = {
  id: s.idOf('pay').description('The id of the refund.'),
  payment_id: s.idOf('pay').description('The payment that is refunded.'),
  amount_minor: s.minor.description('The refunded amount in minor units.'),
  status: oneOf(PAYMENT_STATUSES).description('The status of the refund.'),
};
/** The refunds of a cancellation as `presentRefunds` returns them. */
const refund = s.shape({
  ...refundFields,
  refunds: array(s.shape(refundFields)).description(
    'All refunds of the cancellation: one for each payment. `id` and `payment_id` beside them are those ' +
      'of the first one, `amount_minor` is their sum, and `status` is `pending` if one is pending, else ' +
      '`failed` if one has failed.',
  ),
});

/** The charge or refund of a change of price. */
const adjustment = either(
  s.shape({
    amount_minor: s.minor.description('The charged difference in minor units, positive.'),
    payment_id: s.idOf('pay').description('The payment of the difference.'),
  }),
  s.shape({
    amount_minor: s.minor.description('The refunded difference in minor units, negative.'),
    refund_id: s.idOf('pay').description('The refund of the difference.'),
  }),
  // Under the minimum charge: neither charged nor refunded.
  s.shape({
    amount_minor: typed<0>(joi.number().valid(0)).description(
      '0: the difference is under the minimum charge.',
    ),
  }),
);

/** A booking after a change. */
export const changedBooking = s.extend(linkedBooking, {
  adjustment: s
    .orNull(adjustment)
    .description('The charge or refund of the change. Null if the price is the same.'),
});

const pendingChangeFields = {
  id: s.idOf('chg').description('The id of the change.'),
  checkout_url: s.anyText.description('The URL of the hosted page where the payer pays the difference.'),
  amount_minor: s.minor.description('The difference to pay, in minor units.'),
  expires_at: s.instant.description('The time at which the change lapses unless it is paid.'),
};

/** A change that waits for its payment (`presentPendingChange`). */
export const pendingChange = s.presentedBy(presentPendingChange, s.shape(pendingChangeFields));

/** A booking that is unchanged until its change is paid. */
export const bookingWithPendingChange = s.shape({
  booking: linkedBooking.description('The booking, which is unchanged. Both slots are held.'),
  pending_change: pendingChange.description('The change that is awaiting payment.'),
});

/** The object of the events of a pending change. */
export const bookingOfPendingChange = s.extend(booking, {
  pending_change: s
    .shape({
      ...pendingChangeFields,
      ended: s
        .orNull(oneOf(PENDING_ENDS.filter((end) => end !== 'not_opened')))
        .description(
          'Why the change was not applied: it `lapsed`, it was `withdrawn`, the booking was `cancelled` ' +
            'or `over`. Null while it can be paid.',
        ),
    })
    .description('The change that is awaiting payment.'),
});

/** A booking after its cancellation. */
export const cancelledBooking = s.extend(linkedBooking, {
  refund: s.orNull(refund).required().description('The refund. Null if nothing is refunded.'),
});
