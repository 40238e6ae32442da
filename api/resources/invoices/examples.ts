import type { PresentedPayment } from '../../../domain/payments/presenter.js';
import { exampleInstant } from '../shared/examples.js';

export const EXAMPLE_INVOICE_ID = 'inv_01kba6xz3fe4r9tq5v8mhc2s1f';

/** A payment that was recorded by hand. */
export const transfer: PresentedPayment = {
  id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1t',
  invoice_id: EXAMPLE_INVOICE_ID,
  booking_id: null,
  kind: 'manual',
  status: 'succeeded',
  amount_minor: 21750,
  currency: 'GBP',
  method: 'bank_transfer',
  reference: 'Statement 12',
  processor_payment_intent_id: null,
  refunded_minor: 0,
  refunds: [],
  disputed_minor: 0,
  disputes: [],
  refund_of: null,
  origin: null,
  reason: null,
  source: null,
  paid_at: exampleInstant(3, 10),
  settled_at: exampleInstant(3, 10),
  created_at: exampleInstant(3, 10),
};

/** An adjustment with a negative total. */
export const discount = {
  id: 'adj_01kba6xz3fe4r9tq5v8mhc2s1v',
  kind: 'credit',
  total_minor: -50,
  lines: [
    {
      description: 'Discount',
      quantity: 1,
      unit_amount_minor: -50,
      tax_code: 'ZERO',
      net_minor: -50,
      tax_minor: 0,
    },
  ],
  reason: 'The projector did not work',
  credit_note_id: null,
  refund_id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1p',
  refund_ids: ['pay_01kba6xz3fe4r9tq5v8mhc2s1p'],
  created_at: exampleInstant(4, 9),
};
