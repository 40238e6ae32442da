import joi from 'joi';
import { BOOKING_STATUSES, CONFIRMATION_SOURCES, PAYMENT_STATUSES } from '../../domain/states.js';
import * as s from '../resource/shapes.js';

const guest = s.shape({ guest: s.shape({ email: s.nullableText, name: s.nullableText }) });

/** A booking as `presentBooking` returns it and events carry it. */
export const booking = s.shape({
  id: s.idOf('bk'),
  status: s.oneOf(BOOKING_STATUSES),
  checkout_url: s.nullableText.description('The hosted page where the payer pays. Null for a free booking.'),
  expires_at: s.nullableInstant.description(
    'The time at which the reservation hold ends. Null for a free booking.',
  ),
  room: s.shape({ id: s.anyUuid, name: s.anyText }),
  room_id: s.anyUuid,
  start_at: s.instant,
  end_at: s.instant,
  booked_by: joi.alternatives(s.shape({ member_id: s.idOf('mem') }), guest),
  member_id: s.idOf('mem').allow(null),
  company_id: s.anyUuid.allow(null).description('The company of the member who booked.'),
  notes: s.nullableText,
  attendees: s.count,
  price: s.money,
  tokens_used: s.count.description('The number of hour credits used.'),
  invoice_id: s.idOf('inv').allow(null),
  processor_payment_intent_id: s.nullableText,
  confirmation_source: s
    .orNull(s.oneOf(CONFIRMATION_SOURCES))
    .description('What confirmed the payment first.'),
  sequence: s.count.description('Increases with every change, as in iCalendar.'),
  created_at: s.instant,
  updated_at: s.instant,
  confirmed_at: s.nullableInstant,
  cancelled_at: s.nullableInstant,
  completed_at: s.nullableInstant,
  no_show_at: s.nullableInstant,
});

/** A booking as the API returns it (`showBooking`). */
export const linkedBooking = booking.keys({
  manage_url: s.nullableText.description(
    'The page on which the payer sees, moves and cancels the booking. Whoever has the link can do so. Null without the scope `calendar:read`, and after an erasure.',
  ),
});

const refundFields = {
  id: s.idOf('pay'),
  payment_id: s.idOf('pay'),
  amount_minor: s.minor,
  status: s.oneOf(PAYMENT_STATUSES),
};
/** The refunds of a cancellation as `presentRefunds` returns them. */
const refund = s.shape({ ...refundFields, refunds: joi.array().items(s.shape(refundFields)) });

/** The charge or refund of a change of price. */
const adjustment = joi.alternatives(
  s.shape({ amount_minor: s.minor, payment_id: s.idOf('pay') }),
  s.shape({ amount_minor: s.minor, refund_id: s.idOf('pay') }),
  // Under the minimum charge: neither charged nor refunded.
  s.shape({ amount_minor: joi.number().valid(0) }),
);

/** A booking after a change. */
export const changedBooking = linkedBooking.keys({ adjustment: s.orNull(adjustment).required() });

/** A booking after its cancellation. */
export const cancelledBooking = linkedBooking.keys({ refund: s.orNull(refund).required() });

/** The price of a create that was not made. */
export const quote = s.shape({
  price: s.money.description('What the payer would pay, tax included.'),
  net_minor: s.minor,
  tax_minor: s.minor,
  discount_percent: joi.number().description("The discount of the member's tier."),
  tokens_used: s.count.description('The hour credits that would pay for it.'),
  available: joi.boolean().description('Whether a create would get the slot now.'),
  reason: s
    .orNull(s.oneOf(['booked', 'blackout', 'closed']))
    .description('Why the slot is not available, as in `details.reason` of `slot_unavailable`.'),
});
