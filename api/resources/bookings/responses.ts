import joi from 'joi';
import { SETTLE } from '../../../domain/booking-create.js';
import { PENDING_ENDS } from '../../../domain/pending-change.js';
import { BOOKING_STATUSES, CONFIRMATION_SOURCES, PAYMENT_STATUSES } from '../../../domain/states.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

const guest = s.shape({
  guest: s
    .shape({
      email: s.nullableText.description('The email address of the guest.'),
      name: s.nullableText.description('The name of the guest.'),
    })
    .description('A person who is not a member. Null fields after an erasure.'),
});

/** A booking as `presentBooking` returns it and events carry it. */
export const booking = s.shape({
  id: s.idOf('bk'),
  status: oneOf(BOOKING_STATUSES).description(
    'The status. Only `pending_payment` and `confirmed` occupy the room.',
  ),
  checkout_url: s.nullableText.description(
    'The URL of the hosted page where the payer pays. Null for a free booking and for one on account.',
  ),
  expires_at: s.nullableInstant.description(
    'The time at which the reservation hold ends. Null for a free booking and for one on account.',
  ),
  room: s
    .shape({
      id: s.anyUuid.description('The id of the room.'),
      name: s.anyText.description('The name of the room.'),
    })
    .description('The room.'),
  room_id: s.anyUuid.description('The id of the room.'),
  start_at: s.instant.description('The start, inclusive.'),
  end_at: s.instant.description('The end, exclusive.'),
  booked_by: joi
    .alternatives(
      s.shape({ member_id: s.idOf('mem').description('The member who booked. Null for a guest.') }),
      guest,
    )
    .description('Who booked: a member or a guest.'),
  member_id: s.idOf('mem').allow(null),
  company_id: s.anyUuid.allow(null).description('The company of the member who booked.'),
  notes: s.nullableText.description('Free text for staff.'),
  attendees: s.count.description('The number of people.'),
  price: s.money.description('The price that the payer pays, including tax.'),
  tokens_used: s.count.description('The number of hour credits used.'),
  settle: oneOf(SETTLE).description(
    'How the booking is paid: at its hosted page (`checkout`), or by its invoice (`on_account`). A free booking has `checkout`.',
  ),
  invoice_id: s.idOf('inv').allow(null).description('The invoice of the booking. Null for a free booking.'),
  processor_payment_intent_id: s.nullableText.description(
    'The id of the payment at the payment processor. Null until the payment is confirmed, and for a free booking.',
  ),
  confirmation_source: s.orNull(oneOf(CONFIRMATION_SOURCES)).description('What confirmed the payment first.'),
  sequence: s.count.description('The revision number, as in iCalendar. It increases with every change.'),
  created_at: s.instant,
  updated_at: s.instant,
  confirmed_at: s.nullableInstant.description('The time of the confirmation.'),
  cancelled_at: s.nullableInstant.description('The time of the cancellation.'),
  completed_at: s.nullableInstant.description('The time at which the confirmed booking ended.'),
  no_show_at: s.nullableInstant.description('The time at which the booker was marked as a no-show.'),
});

/** A booking as the API returns it (`showBooking`). */
export const linkedBooking = booking.keys({
  manage_url: s.nullableText.description(
    'The URL of the page where the payer can view, move and cancel the booking. Anyone with the link can do so. Null without the scope `calendar:read`, and after an erasure.',
  ),
});

const refundFields = {
  id: s.idOf('pay').description('The id of the refund.'),
  payment_id: s.idOf('pay').description('The payment that is refunded.'),
  amount_minor: s.minor.description('The refunded amount in minor units.'),
  status: oneOf(PAYMENT_STATUSES).description('The status of the refund.'),
};
/** The refunds of a cancellation as `presentRefunds` returns them. */
const refund = s.shape({
  ...refundFields,
  refunds: joi
    .array()
    .items(s.shape(refundFields))
    .description('All refunds of the cancellation. The other fields are those of the first one.'),
});

/** The charge or refund of a change of price. */
const adjustment = joi.alternatives(
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
    amount_minor: joi.number().valid(0).description('0: the difference is under the minimum charge.'),
  }),
);

/** A booking after a change. */
export const changedBooking = linkedBooking.keys({
  adjustment: s
    .orNull(adjustment)
    .required()
    .description('The charge or refund of the change. Null if the price is the same.'),
});

const pendingChangeFields = {
  id: s.idOf('chg').description('The id of the change.'),
  checkout_url: s.anyText.description('The URL of the hosted page where the payer pays the difference.'),
  amount_minor: s.minor.description('The difference to pay, in minor units.'),
  expires_at: s.instant.description('The time at which the change lapses unless it is paid.'),
};

/** A change that waits for its payment (`presentPendingChange`). */
export const pendingChange = s.shape(pendingChangeFields);

/** A booking that is unchanged until its change is paid. */
export const bookingWithPendingChange = s.shape({
  booking: linkedBooking.description('The booking, which is unchanged. Both slots are held.'),
  pending_change: pendingChange.description('The change that is awaiting payment.'),
});

/** The object of the events of a pending change. */
export const bookingOfPendingChange = booking.keys({
  pending_change: s
    .shape({
      ...pendingChangeFields,
      ended: s
        .orNull(oneOf(PENDING_ENDS.filter((end) => end !== 'not_opened')))
        .description(
          'Why the change was not applied: it `lapsed`, it was `withdrawn`, the booking was `cancelled` or `over`. Null while it can be paid.',
        ),
    })
    .required()
    .description('The change that is awaiting payment.'),
});

/** A booking after its cancellation. */
export const cancelledBooking = linkedBooking.keys({
  refund: s.orNull(refund).required().description('The refund. Null if nothing is refunded.'),
});

/** The price of a create that was not made. */
export const quote = s.shape({
  price: s.money.description('The price that the payer would pay, including tax.'),
  net_minor: s.minor.description('The price without tax, in minor units.'),
  tax_minor: s.minor.description('The tax, in minor units.'),
  discount_percent: joi.number().description("The discount of the member's tier."),
  tokens_used: s.count.description('The number of hour credits that would be used.'),
  available: joi.boolean().description('Whether the slot is available now.'),
  reason: s
    .orNull(oneOf(['booked', 'blackout', 'closed']))
    .description('Why the slot is not available, as in `details.reason` of `slot_unavailable`.'),
});

/** A booking whose mail has been sent, and the email address. */
export const sentBooking = s.shape({
  booking_id: s.idOf('bk').description('The booking.'),
  sent_to: s.anyText.description('The email address that it was sent to.'),
});
