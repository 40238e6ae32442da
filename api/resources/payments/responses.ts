import joi from 'joi';
import { MANUAL_METHODS } from '../../../commands/billing/invoice-payments.js';
import { PAYMENT_KINDS } from '../../../domain/presenters/payment.js';
import { CONFIRMATION_SOURCES, DISPUTE_STATUSES, PAYMENT_STATUSES } from '../../../domain/states.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** A payment as `presentPayment` returns it and events carry it. */
export const payment = s.shape({
  id: s.idOf('pay'),
  invoice_id: s.idOf('inv').allow(null).description('The invoice that the payment belongs to.'),
  booking_id: s.idOf('bk').allow(null).description('The booking that the payment belongs to.'),
  kind: oneOf(PAYMENT_KINDS).description('The kind of payment.'),
  status: oneOf(PAYMENT_STATUSES).description('The status of the payment.'),
  amount_minor: s.minor.description('The amount in minor units.'),
  currency: s.currencyCode.description('The ISO 4217 code of the currency of all amounts.'),
  method: s.anyText.description(
    `The processor's type of payment method, such as \`card\` or \`sepa_debit\`; of a manual payment ${MANUAL_METHODS.join(', ')}.`,
  ),
  reference: s.nullableText.description('The reference of a manual payment.'),
  processor_payment_intent_id: s.nullableText.description(
    'The id of the payment at the payment processor. Null for a manual payment.',
  ),
  refunded_minor: s.minor.description('The amount that has been or is being refunded, in minor units.'),
  refunds: joi
    .array()
    .items(
      s.shape({
        id: s.idOf('pay'),
        amount_minor: s.minor.description('The refunded amount in minor units.'),
        status: oneOf(PAYMENT_STATUSES).description('The status of the refund.'),
        reason: s.nullableText.description('Why the payment was refunded.'),
        created_at: s.instant,
      }),
    )
    .description('The refunds of the payment.'),
  disputed_minor: s.minor.description('The amount that is disputed, in minor units.'),
  disputes: joi
    .array()
    .items(
      s.shape({
        id: s.anyText.description('The id of the dispute at the payment processor.'),
        status: oneOf(DISPUTE_STATUSES).description('The status of the dispute.'),
        amount_minor: s.minor.description('The disputed amount in minor units.'),
        due_by: s.nullableInstant.description(
          'The time by which evidence must be submitted to the payment processor.',
        ),
        created_at: s.instant,
      }),
    )
    .description('The disputes of the payment.'),
  refund_of: s.idOf('pay').allow(null).description('The payment that was refunded, if this is a refund.'),
  reason: s.nullableText.description('Why the payment was refunded, if this is a refund.'),
  source: s
    .orNull(oneOf(CONFIRMATION_SOURCES))
    .description(
      'The layer that confirmed the payment first. Null for refunds, manual payments, and charges to a card on file that the response to the charge confirmed.',
    ),
  paid_at: s.nullableInstant.description('The time at which the money was received.'),
  settled_at: s.nullableInstant.description(
    'The time at which the processor received the money, or at which a refund succeeded or failed.',
  ),
  created_at: s.instant,
});
