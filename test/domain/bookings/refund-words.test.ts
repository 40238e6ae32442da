import test from 'ava';
import { describeRefundSteps, describeTerms } from '../../../domain/bookings/refund-words.js';
import { ENGLISH, getWords } from '../../../domain/words/words.js';

const BOOKING = {
  start_at: new Date('2031-03-05T10:00:00Z'),
  time_zone: 'Europe/London',
  currency: 'GBP',
  now: new Date('2031-03-01T10:00:00Z'),
};

test('the terms of a changed booking describe what was paid before the change, not its difference', (t) => {
  const cap = (percent: number) =>
    describeTerms(ENGLISH, { steps: [], extras: [], cap: percent }, BOOKING).slice(1);
  t.deepEqual(cap(100), []);
  t.deepEqual(cap(50), ['At most 50% of the payments made before the booking was changed is refunded.']);
  t.deepEqual(cap(0), ['Payments made before the booking was changed are not refunded.']);
});

test('percentages of the terms are written as in the language of their reader', (t) => {
  const steps = [{ hours_before: 0, percent: 33.5 }];
  const said = (booking: object) =>
    describeTerms(getWords('de'), { steps, extras: [], cap: 12.25 }, { ...BOOKING, ...booking }).join(' ');
  t.regex(said({}), /33,5\u00a0%.*12,25\u00a0%/);
  t.regex(said({ is_unpaid: true }), /66,5\u00a0%/);
});

test('the terms of an unpaid booking on account describe what is due, not refunds', (t) => {
  const booking = { ...BOOKING, is_unpaid: true };
  const steps = [
    { hours_before: 48, percent: 100 },
    { hours_before: 24, percent: 40 },
    { hours_before: 0, percent: 0 },
  ];
  t.deepEqual(describeRefundSteps(ENGLISH, steps, booking), [
    'If cancelled by Mon 3 Mar, 10:00, nothing is due.',
    'If cancelled by Tue 4 Mar, 10:00, 60% of the price is due.',
    'If cancelled later, the full price is due.',
  ]);
  t.deepEqual(describeRefundSteps(ENGLISH, [{ hours_before: 0, percent: 99.99 }], booking), [
    'If cancelled before the start, 0.01% of the price is due.',
  ]);
});

test('the terms of a moved booking that is unpaid describe what stays due after the move', (t) => {
  const steps = [
    { hours_before: 48, percent: 100 },
    { hours_before: 24, percent: 40 },
  ];
  const extras = [{ extra_id: 'cake', name: 'Cake', refund_steps: [{ hours_before: 48, percent: 100 }] }];
  const limited = (percent: number, extra_id: string | null = null) =>
    describeTerms(
      ENGLISH,
      { steps, extras, cap: percent },
      { ...BOOKING, is_unpaid: true, refund_caps: [{ extra_id, amount_minor: 3_000, percent }] },
    );
  const cake =
    'Cake: If cancelled by Mon 3 Mar, 10:00, nothing is due. If cancelled later, the full price is due.';
  t.deepEqual(limited(50), [
    'If cancelled by Mon 3 Mar, 10:00, 50% of the price is due.',
    'If cancelled by Tue 4 Mar, 10:00, 60% of the price is due.',
    'If cancelled later, the full price is due.',
    cake,
  ]);
  t.deepEqual(limited(40), [
    'If cancelled by Tue 4 Mar, 10:00, 60% of the price is due.',
    'If cancelled later, the full price is due.',
    cake,
  ]);
  t.deepEqual(limited(0), ['If cancelled before the start, the full price is due.', cake]);
  t.is(limited(0, 'cake').at(-1), 'Cake: If cancelled before the start, the full price is due.');
});
