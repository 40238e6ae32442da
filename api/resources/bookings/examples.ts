import type { PresentedBooking } from '../../../domain/presenters/booking.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/examples.js';
import { EXAMPLE_ROOM_ID } from '../rooms/openapi.js';
import { exampleInstant } from '../shared/examples.js';
import { DETAILS } from './shape.js';

export const EXAMPLE_BOOKING_ID = 'bk_01kba6xz3fe4r9tq5v8mhc2s1d';

export const pending: PresentedBooking = {
  id: EXAMPLE_BOOKING_ID,
  status: 'pending_payment',
  checkout_url: 'https://checkout.example.com/pay/cs_a1b2c3',
  expires_at: exampleInstant(0, 13),
  room: { id: EXAMPLE_ROOM_ID, name: 'Blue room' },
  room_id: EXAMPLE_ROOM_ID,
  start_at: exampleInstant(45, 9),
  end_at: exampleInstant(45, 11),
  booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
  member_id: null,
  company_id: null,
  ...DETAILS,
  price: { currency: 'GBP', amount_minor: 6000 },
  tokens_used: 0,
  settle: 'checkout',
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
