import joi from 'joi';
import { MANUAL_METHODS } from '../../db/repositories/billing/invoice-payments.js';
import { PAYMENT_KINDS } from '../../domain/presenters/payment.js';
import { CONFIRMATION_SOURCES, DISPUTE_STATUSES, PAYMENT_STATUSES } from '../../domain/states.js';
import * as s from '../resource/shapes.js';

/** A payment as `presentPayment` returns it and events carry it. */
export const payment = s.shape({
  id: s.idOf('pay'),
  invoice_id: s.idOf('inv').allow(null),
  booking_id: s.idOf('bk').allow(null),
  kind: s.oneOf(PAYMENT_KINDS),
  status: s.oneOf(PAYMENT_STATUSES),
  amount_minor: s.minor,
  currency: s.currencyCode,
  method: s.anyText.description(
    `The processor's type of payment method, such as \`card\` or \`sepa_debit\`; of a manual payment ${MANUAL_METHODS.join(', ')}.`,
  ),
  reference: s.nullableText,
  processor_payment_intent_id: s.nullableText,
  refunded_minor: s.minor,
  refunds: joi.array().items(
    s.shape({
      id: s.idOf('pay'),
      amount_minor: s.minor,
      status: s.oneOf(PAYMENT_STATUSES),
      reason: s.nullableText,
      created_at: s.instant,
    }),
  ),
  disputed_minor: s.minor,
  disputes: joi.array().items(
    s.shape({
      id: s.anyText,
      status: s.oneOf(DISPUTE_STATUSES),
      amount_minor: s.minor,
      due_by: s.nullableInstant,
      created_at: s.instant,
    }),
  ),
  refund_of: s.idOf('pay').allow(null).description('The payment that was refunded, if this is a refund.'),
  reason: s.nullableText,
  source: s.orNull(s.oneOf(CONFIRMATION_SOURCES)).description('What confirmed the payment first.'),
  paid_at: s.nullableInstant.description('The time at which the money was received.'),
  settled_at: s.nullableInstant.description(
    'The time at which the processor had the money, or at which a refund succeeded or failed.',
  ),
  created_at: s.instant,
});
