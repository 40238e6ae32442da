import test from 'ava';
import { formatMoney } from '../../../domain/display.js';
import type { BookedExtra } from '../../../domain/extras/extras.js';
import { extraRows, extrasEntered, submittedExtras } from '../../../web/ui/extras.js';
import { ENGLISH } from '../../../domain/words/words.js';

const amount = (amount_minor: number, currency: string): string => formatMoney({ amount_minor, currency });
const offered = [
  { id: 'lunch', name: 'Lunch', unit: 'attendee' as const, price_minor: 1_800, tax_rate_bps: 2_000 },
  { id: 'projector', name: 'Projector', unit: 'hour' as const, price_minor: 500, tax_rate_bps: 0 },
].map((extra) => ({ ...extra, currency: 'GBP' }));
const has = (extra_id: string, quantity: number, unit_amount_minor: number): BookedExtra => ({
  extra_id,
  name: extra_id,
  unit: 'piece',
  quantity,
  unit_amount_minor,
  tax_code: 'STANDARD',
  tax_rate_bps: 2_000,
  account: null,
  refund_steps: null,
});
const booking = (extras: BookedExtra[]) => ({
  currency: 'GBP',
  pricing: { room_id: 'room', version: null, audience: { tier: null, company_id: null }, lines: [], extras },
});

test('the rows of extras have the price from when they were booked, with tax, and extras no longer offered', (t) => {
  t.deepEqual(extraRows(ENGLISH, offered, { amount }), [
    { id: 'lunch', label: 'Lunch, £21.60 per person', isTaxed: true, value: '' },
    { id: 'projector', label: 'Projector, £5.00 per hour', isTaxed: false, value: '' },
  ]);
  const booked = booking([has('lunch', 12, 1_500), has('old', 1, 900)]);
  t.deepEqual(extraRows(ENGLISH, offered, { booked, amount }), [
    { id: 'old', label: 'old, £10.80 each', isTaxed: true, value: '1' },
    { id: 'lunch', label: 'Lunch, £18.00 per person', isTaxed: true, value: '12' },
    { id: 'projector', label: 'Projector, £5.00 per hour', isTaxed: false, value: '' },
  ]);
  const submitted = submittedExtras({ extra_id: ['lunch', 'projector'], extra_quantity: ['', 'two'] });
  t.deepEqual(
    extraRows(ENGLISH, offered, { booked, submitted, amount }).map(({ value }) => value),
    ['', '', 'two'],
    'what was submitted, in place of what is booked',
  );
  const kept = extraRows(ENGLISH, offered, { booked, kept: ['old'], submitted, amount })[0];
  t.deepEqual(kept, { id: 'old', label: 'old, £10.80 each', isTaxed: true, value: '1', isKept: true });
});

test('empty and 0 quantities are ignored, and a value that is not a number is left to be refused', (t) => {
  const form = { extra_id: ['a', 'b', 'c', 'd'], extra_quantity: ['', '0', ' 3 ', '1.5'] };
  t.deepEqual(extrasEntered(form), [
    { extra_id: 'c', quantity: 3 },
    { extra_id: 'd', quantity: '1.5' as never },
  ]);
  t.deepEqual(extrasEntered(submittedExtras({ extra_id: 'a', extra_quantity: '2' })), [
    { extra_id: 'a', quantity: 2 },
  ]);
  t.deepEqual(extrasEntered(submittedExtras({})), []);
});
