import test from 'ava';
import {
  BOOKING_OUTCOMES,
  BOOKING_WORDS,
  bookingOutcome,
  bookingState,
  withOutcome,
} from '../../../domain/bookings/state.js';
import { hasNoWayToPay, missingOfSeller } from '../../../domain/invoices/parties.js';
import { describeNoShow } from '../../../domain/bookings/no-show.js';
import type { BookingStatus } from '../../../domain/states.js';

const [start_at, end_at] = [new Date('2030-01-07T10:00:00Z'), new Date('2030-01-07T12:00:00Z')];
const at = (status: BookingStatus, no_show_at: Date | null = null) => ({
  status,
  no_show_at,
  start_at,
  end_at,
});

test('a confirmed booking runs from its start until its end, unless it is a no-show', (t) => {
  for (const [status, now, state] of [
    ['confirmed', '2030-01-07T09:59:59Z', 'confirmed'],
    ['confirmed', '2030-01-07T10:00:00Z', 'running'],
    ['confirmed', '2030-01-07T12:00:00Z', 'confirmed'],
    ['pending_payment', '2030-01-07T11:00:00Z', 'pending_payment'],
    ['completed', '2030-01-07T13:00:00Z', 'completed'],
  ] as const)
    t.is(bookingState(at(status), new Date(now)), state, `${status} ${now}`);
  for (const status of ['confirmed', 'completed'] as const)
    t.is(bookingState(at(status, new Date()), new Date('2030-01-07T11:00:00Z')), 'no_show');
});

test('each outcome has words, and its filter finds no booking with another outcome', (t) => {
  t.is(BOOKING_WORDS.pending_payment, 'not paid yet');
  const bookings = [
    ...(['pending_payment', 'confirmed', 'completed', 'cancelled', 'expired'] as const).map((each) =>
      at(each),
    ),
    at('completed', new Date()),
  ];
  for (const outcome of BOOKING_OUTCOMES) {
    const { status, no_show } = withOutcome(outcome);
    const found = bookings.filter(
      (booking) =>
        (status === undefined || booking.status === status) && no_show === (booking.no_show_at !== null),
    );
    t.deepEqual(found.map(bookingOutcome), [outcome]);
  }
  t.deepEqual(withOutcome(''), {});
});

test('marking a no-show explains what happens to the money, and doesn’t mention refunds if nothing was paid', (t) => {
  for (const [on_account, price_minor, hour_credits_used, words] of [
    [false, 3_000, 0, 'Nothing is refunded.'],
    [false, 3_000, 1, 'Nothing is refunded, and hour credits are not returned.'],
    [true, 3_000, 0, 'Its invoice stays as it is.'],
    [true, 3_000, 2, 'Its invoice stays as it is, and hour credits are not returned.'],
    [false, 0, 2, 'Hour credits are not returned.'],
    [false, 0, 0, ''],
  ] as const)
    t.is(describeNoShow({ on_account, price_minor, hour_credits_used }), words);
});

test('documents lack the seller’s details that were not entered, and further text counts only as the legal name', (t) => {
  const nothing = { legal_name: null, legal_address: null, tax_number: null, invoice_details: null };
  const [taxed, free] = [[{ rate_bps: 2_000 }, { rate_bps: 0 }], [{ rate_bps: 0 }]];
  t.deepEqual(missingOfSeller({ ...nothing, tax_codes: taxed }), [
    'legal_name',
    'legal_address',
    'tax_number',
  ]);
  t.deepEqual(missingOfSeller({ ...nothing, tax_codes: free }), ['legal_name', 'legal_address']);
  t.deepEqual(missingOfSeller({ ...nothing, legal_name: 'Acme Ltd', tax_codes: taxed }), [
    'legal_address',
    'tax_number',
  ]);
  t.deepEqual(missingOfSeller({ ...nothing, invoice_details: 'Acme Ltd, 1 Road', tax_codes: taxed }), [
    'legal_address',
    'tax_number',
  ]);
});

test('an invoice has to say how it can be paid, unless it can be paid online', (t) => {
  for (const [processor_status, payment_instructions, expected] of [
    ['active', null, false],
    ['active', 'IBAN', false],
    ['pending', null, true],
    ['unconfigured', null, true],
    ['revoked', '', true],
    ['revoked', 'IBAN', false],
  ] as const)
    t.is(hasNoWayToPay({ processor_status, payment_instructions }), expected, processor_status);
});
