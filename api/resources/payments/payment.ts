import { PAYMENT_METHODS } from '../../../domain/payments/methods.js';
import { DISPUTE_EVIDENCE } from '../../../domain/payments/dispute-words.js';
import {
  PAYMENT_KINDS,
  presentPayment,
  REFUND_ORIGINS,
  type PresentedPayment,
} from '../../../domain/payments/presenter.js';
import { CONFIRMATION_SOURCES, DISPUTE_STATUSES, PAYMENT_STATUSES } from '../../../domain/states.js';
import { array, nullable, oneOf } from '../../http/typed.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/invoice.js';
import { exampleInstant } from '../shared/examples.js';
import type { EventDescription, EventTypesFor } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

/** The description of a method in a request. */
export const SENT_METHOD =
  'How the money was received. `terminal` is an alias of `card_terminal`, and `transfer` of ' +
  '`bank_transfer`.';

/** A payment in responses and events. */
export const payment = s.presentedBy(
  presentPayment,
  s.shape('Payment', {
    id: s.prefixedId('pay'),
    invoice_id: nullable(s.prefixedId('inv')).description('The invoice that the payment belongs to.'),
    booking_id: nullable(s.prefixedId('bk')).description('The booking that the payment belongs to.'),
    kind: oneOf(PAYMENT_KINDS).description('The kind of payment.'),
    status: oneOf(PAYMENT_STATUSES).description('The status of the payment.'),
    amount_minor: s.minor.description('The amount in minor units.'),
    currency: s.currencyCode.description('The ISO 4217 code of the currency of all amounts.'),
    method: oneOf(PAYMENT_METHODS).description(
      'How the money was received. `bank_transfer` includes debits of a bank account.',
    ),
    processor_method: s.nullableText.description(
      'The payment processor’s name for the method, such as `sepa_debit`. Null for a payment that ' +
        'staff recorded.',
    ),
    reference: s.nullableText.description('The reference of a payment that staff recorded.'),
    processor_payment_intent_id: s.nullableText.description(
      'The id of the payment at the payment processor. Null for a payment that staff recorded.',
    ),
    refunded_minor: s.minor.description('The amount that has been or is being refunded, in minor units.'),
    refunds: array(
      s.shape({
        id: s.prefixedId('pay'),
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
            'if the processor gives no reason.',
        ),
        evidence: s
          .orNull(oneOf(DISPUTE_EVIDENCE))
          .description(
            'The state of the evidence: `none`, `staged` (prepared but not submitted), `submitted`, ' +
              'or `late` (submitted after the deadline).',
          ),
        due_by: s.nullableInstant.description(
          'The time by which evidence must be submitted to the payment processor.',
        ),
        created_at: s.instant,
      }),
    ).description('The disputes of the payment.'),
    refund_of: nullable(s.prefixedId('pay')).description(
      'The payment that was refunded, if this is a refund.',
    ),
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
        'The first source that confirmed the payment. Null for refunds, manual payments, and charges ' +
          'to a card on file that were confirmed by the response to the charge.',
      ),
    paid_at: s.nullableInstant.description('The time at which the money was received. Null for a refund.'),
    settled_at: s.nullableInstant.description(
      'The time at which the payment processor received the money, or at which a refund succeeded or ' +
        'failed. For a payment that staff recorded, `paid_at`.',
    ),
    created_at: s.instant,
  }),
);

export const EXAMPLE_PAYMENT_ID = 'pay_01kba6xz3fe4r9tq5v8mhc2s1g';

/** A payment by card, in examples. */
export const succeeded: PresentedPayment = {
  id: EXAMPLE_PAYMENT_ID,
  invoice_id: EXAMPLE_INVOICE_ID,
  booking_id: null,
  kind: 'charge',
  status: 'succeeded',
  amount_minor: 21750,
  currency: 'GBP',
  method: 'card',
  processor_method: 'card',
  reference: null,
  processor_payment_intent_id: 'pi_3QhZ2kLkdIwHu7ix0a1b2c3d',
  refunded_minor: 0,
  refunds: [],
  disputed_minor: 0,
  disputes: [],
  refund_of: null,
  origin: null,
  reason: null,
  source: 'connect_webhook',
  paid_at: exampleInstant(3, 10),
  settled_at: exampleInstant(3, 10),
  created_at: exampleInstant(3, 10),
};

/** A refund of it. */
export const refunded: PresentedPayment = {
  ...succeeded,
  id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1p',
  kind: 'refund',
  amount_minor: 5000,
  refund_of: EXAMPLE_PAYMENT_ID,
  origin: 'service',
  reason: 'requested_by_customer',
  source: null,
  paid_at: null,
  settled_at: exampleInstant(4, 10),
  created_at: exampleInstant(4, 9),
};

/** A payment that was recorded by hand. */
export const transfer: PresentedPayment = {
  ...succeeded,
  id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1t',
  kind: 'manual',
  method: 'bank_transfer',
  processor_method: null,
  reference: 'Statement 12',
  processor_payment_intent_id: null,
  source: null,
};

const disputed: PresentedPayment = {
  ...succeeded,
  status: 'disputed',
  disputed_minor: 21750,
  disputes: [
    {
      id: 'dp_1QhZ2kLkdIwHu7ixq4e5f6g7',
      status: 'open',
      amount_minor: 21750,
      reason: 'fraudulent',
      evidence: 'none',
      due_by: exampleInstant(12, 10),
      created_at: exampleInstant(5, 10),
    },
  ],
};

const won: PresentedPayment = {
  ...succeeded,
  disputes: [{ ...disputed.disputes[0]!, status: 'won', evidence: 'submitted', due_by: null }],
};

const failed: PresentedPayment = {
  ...succeeded,
  status: 'failed',
  reason: 'insufficient_funds',
  source: null,
  paid_at: null,
  settled_at: null,
};

const example = (object: PresentedPayment): EventDescription => ({ schema: payment, object });

/** The events about payments. */
export const events: Record<EventTypesFor<'payment'>, EventDescription> = {
  'payment.succeeded': example(succeeded),
  'payment.failed': example(failed),
  'payment.action_required': example({ ...failed, reason: 'authentication_required' }),
  'payment.refunded': example(refunded),
  'payment.refund_failed': example({ ...refunded, status: 'failed' }),
  'payment.disputed': example(disputed),
  'payment.dispute_closed': example(won),
};
