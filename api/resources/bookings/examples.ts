import { formatTime } from '../../../domain/bookings/words.js';
import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/invoice.js';
import { transfer } from '../payments/payment.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';
import { exampleInstant } from '../shared/examples.js';
import { DETAILS } from './booking.js';

export const EXAMPLE_BOOKING_ID = 'bk_01kba6xz3fe4r9tq5v8mhc2s1d';

const [start_at, end_at] = [exampleInstant(45, 9), exampleInstant(45, 11)];

export const LINE: PresentedBooking['lines'][number] = {
  kind: 'time',
  description: `Blue room, ${formatTime({
    time_zone: 'UTC',
    start_at: new Date(start_at),
    end_at: new Date(end_at),
  })}`,
  quantity: 2,
  unit: 'hour',
  unit_amount_minor: 2500,
  net_minor: 5000,
  tax_code: 'STANDARD',
  tax_minor: 1000,
  rate_id: null,
  extra_id: null,
  from: start_at,
  to: end_at,
};

export const pending: PresentedBooking = {
  id: EXAMPLE_BOOKING_ID,
  reference: 'K7QM2XD',
  status: 'pending_payment',
  checkout_url: 'https://checkout.example.com/pay/cs_a1b2c3',
  expires_at: exampleInstant(0, 13),
  room: { id: EXAMPLE_ROOM_ID, name: 'Blue room' },
  room_id: EXAMPLE_ROOM_ID,
  start_at,
  end_at,
  booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
  member_id: null,
  company_id: null,
  ...DETAILS,
  price: { currency: 'GBP', amount_minor: 6000 },
  lines: [LINE],
  extras: [],
  discount_code: null,
  tokens_used: 0,
  settle: 'checkout',
  metadata: {},
  source: 'page',
  billing: { company: 'Orchard Ltd', vat_number: 'GB123456789', order_reference: 'PO-77' },
  answers: [{ id: 'layout', label: 'How should the chairs stand?', value: 'In rows' }],
  locale: 'en',
  terms_version: '2026-05',
  terms_accepted_at: exampleInstant(0, 12),
  invoice_id: EXAMPLE_INVOICE_ID,
  processor_payment_intent_id: null,
  confirmation_source: null,
  sequence: 0,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
  confirmed_at: null,
  cancelled_at: null,
  completed_at: null,
  no_show_at: null,
};

export const confirmed: PresentedBooking = {
  ...pending,
  status: 'confirmed',
  processor_payment_intent_id: 'pi_3QhZ2kLkdIwHu7ix0a1b2c3d',
  confirmation_source: 'connect_webhook',
  confirmed_at: exampleInstant(0, 12),
};

export const cancelled: PresentedBooking = {
  ...confirmed,
  status: 'cancelled',
  sequence: 1,
  cancelled_at: exampleInstant(1, 9),
};

export const linked = (object: PresentedBooking) => ({
  ...object,
  manage_url: `https://book.example.com/manage/${EXAMPLE_BOOKING_ID}.4f1c2b9a7d3e5f60`,
});

/** A booking that was paid at the desk, with its payment. */
export const paidAtDesk = {
  ...linked({
    ...pending,
    status: 'confirmed',
    settle: 'desk',
    confirmed_at: exampleInstant(0, 12),
  }),
  payment: {
    ...transfer,
    invoice_id: EXAMPLE_INVOICE_ID,
    booking_id: EXAMPLE_BOOKING_ID,
    amount_minor: 6000,
    method: 'cash',
    processor_method: null,
    reference: 'Till 2',
  },
};

export const PENDING_CHANGE = {
  id: 'chg_01kba6xz3fe4r9tq5v8mhc2s1c',
  checkout_url: 'https://checkout.example.com/pay/cs_d4e5f6',
  amount_minor: 3000,
  expires_at: exampleInstant(1, 10),
};

/** The refund of the cancellation. */
export const refund = {
  id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1r',
  payment_id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1g',
  amount_minor: 6000,
  status: 'succeeded',
};
