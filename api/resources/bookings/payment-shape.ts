import { DESK_METHODS } from '../../../domain/payments/desk-payment.js';
import { text, timestamp } from '../../http/fields.js';
import { integer, nullable, object, oneOf, type Infer } from '../../http/typed.js';
import { payment } from '../payments/payment.js';
import * as s from '../shared/shapes.js';
import { linkedBooking } from './shape.js';

/** Body of `POST /v1/bookings/{id}/payments`. */
export const takePaymentSchema = object(
  {
    method: oneOf(DESK_METHODS).description('How the money was taken.'),
    amount_minor: integer
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .description(
        'The amount taken, in minor units: the price of the booking, or the difference of its change.',
      ),
    pending_change_id: text(64).description(
      'The `pending_change.id` of the change whose difference was taken. Without it, the payment is for ' +
        'the price of the booking.',
    ),
    reference: nullable(text(200).allow('')).description(
      'Your reference, such as the number of a receipt or of the card terminal’s slip.',
    ),
    paid_at: timestamp.description(
      'The time at which the money was taken, which dates it in lists, exports and the accounting ' +
        'system. Defaults to now.',
    ),
  },
  'method',
  'amount_minor',
).required();
export type TakePaymentBody = Infer<typeof takePaymentSchema>;

/** A booking after a payment at the desk for it or its change. */
export const paidBooking = s.extend(linkedBooking, {
  payment: payment.description('The recorded payment.'),
});
