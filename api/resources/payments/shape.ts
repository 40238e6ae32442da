import { MANUAL_METHODS } from '../../../commands/invoices/payments.js';
import { REFUND_REASONS } from '../../../commands/payments/refunds.js';
import { isId } from '../../../db/ids.js';
import { DISPUTE_EVIDENCE } from '../../../domain/payments/dispute-words.js';
import { PAYMENT_KINDS, presentPayment, REFUND_ORIGINS } from '../../../domain/payments/presenter.js';
import { CONFIRMATION_SOURCES, DISPUTE_STATUSES, PAYMENT_STATUSES } from '../../../domain/states.js';
import { pageFields } from '../../http/cursor.js';
import { rangeEnd, rangeEndOf, text, timestamp } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import * as s from '../shared/shapes.js';

export const isPaymentId = (id: string): boolean => isId('pay', id);

/** Query of `GET /v1/payments`. */
export const listSchema = object({
  from: timestamp.description('Returns only payments whose money moved at or after this time.'),
  to: rangeEnd.description('Returns only payments whose money moved before this time.'),
  created_from: timestamp.description(
    'Returns only payments that were recorded at or after this time: for programs that read what is new.',
  ),
  created_to: rangeEndOf('created_from').description(
    'Returns only payments that were recorded before this time.',
  ),
  invoice_id: text(64).description('Returns only payments of this invoice.'),
  booking_id: text(64).description('Returns only payments of this booking.'),
  status: oneOf(PAYMENT_STATUSES).description('Returns only payments with this status.'),
  kind: oneOf(PAYMENT_KINDS).description('Returns only payments of this kind.'),
  ...pageFields,
});

/** Body of `POST /v1/payments/{id}/refund`; every field is optional. */
export const refundSchema = object({
  amount_minor: integer
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .description(
      'The amount to refund, in minor units. Defaults to the amount that has not been refunded yet.',
    ),
  reason: withDefault(
    oneOf(REFUND_REASONS).description('Why the payment is refunded, as the payment processor records it.'),
    'requested_by_customer',
  ),
  notify_payer: withDefault(boolean.description('Whether to email the payer about the refund.'), true),
}).required();
export type RefundBody = Infer<typeof refundSchema>;

/** A payment in responses and events. */
export const payment = s.presentedBy(
  presentPayment,
  s.shape({
    id: s.idOf('pay'),
    invoice_id: nullable(s.idOf('inv')).description('The invoice that the payment belongs to.'),
    booking_id: nullable(s.idOf('bk')).description('The booking that the payment belongs to.'),
    kind: oneOf(PAYMENT_KINDS).description('The kind of payment.'),
    status: oneOf(PAYMENT_STATUSES).description('The status of the payment.'),
    amount_minor: s.minor.description('The amount in minor units.'),
    currency: s.currencyCode.description('The ISO 4217 code of the currency of all amounts.'),
    method: s.anyText.description(
      "The processor's type of payment method, such as `card` or `sepa_debit`; of a payment " +
        `that staff have taken ${MANUAL_METHODS.join(', ')}.`,
    ),
    reference: s.nullableText.description('The reference of a payment that staff have taken.'),
    processor_payment_intent_id: s.nullableText.description(
      'The id of the payment at the payment processor. Null for a payment that staff have taken.',
    ),
    refunded_minor: s.minor.description('The amount that has been or is being refunded, in minor units.'),
    refunds: array(
      s.shape({
        id: s.idOf('pay'),
        amount_minor: s.minor.description('The refunded amount in minor units.'),
        status: oneOf(PAYMENT_STATUSES).description('The status of the refund.'),
        reason: s.nullableText.description('Why the payment was refunded.'),
        created_at: s.instant,
      }),
    ).description('The refunds of the payment.'),
    disputed_minor: s.minor.description(
      'The amount that banks have withdrawn for disputes and not returned, in minor units.',
    ),
    disputes: array(
      s.shape({
        id: s.anyText.description('The id of the dispute at the payment processor.'),
        status: oneOf(DISPUTE_STATUSES).description('The status of the dispute.'),
        amount_minor: s.minor.description('The disputed amount in minor units.'),
        reason: s.nullableText.description(
          'Why the payment is disputed, in the code of the payment processor, such as `fraudulent`. Null ' +
            'for a dispute that ended before reasons were stored.',
        ),
        evidence: s
          .orNull(oneOf(DISPUTE_EVIDENCE))
          .description(
            'What has become of the evidence: `none`, `staged` (prepared only), `submitted`, or `late` ' +
              '(submitted after the deadline).',
          ),
        due_by: s.nullableInstant.description(
          'The time by which evidence must be submitted to the payment processor.',
        ),
        created_at: s.instant,
      }),
    ).description('The disputes of the payment.'),
    refund_of: nullable(s.idOf('pay')).description('The payment that was refunded, if this is a refund.'),
    origin: s
      .orNull(oneOf(REFUND_ORIGINS))
      .description(
        'Who made the refund: `service` if it was requested here, `processor` if it was made at the ' +
          'payment processor. Null for other payments.',
      ),
    reason: s.nullableText.description('Why the payment was refunded, if this is a refund.'),
    source: s
      .orNull(oneOf(CONFIRMATION_SOURCES))
      .description(
        'The layer that confirmed the payment first. Null for refunds, manual payments, and charges to a ' +
          'card on file that the response to the charge confirmed.',
      ),
    paid_at: s.nullableInstant.description('The time at which the money was received. Null for a refund.'),
    settled_at: s.nullableInstant.description(
      'The time at which the processor received the money, `paid_at` if staff have taken it, or at which ' +
        'a refund succeeded or failed.',
    ),
    created_at: s.instant,
  }),
);
