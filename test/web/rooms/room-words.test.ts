import test from 'ava';
import { HOUR_MS } from '../../../domain/durations.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { describeOpeningHours, describeRefundSteps } from '../../../web/dashboard/rooms/words.js';

test('hours and refunds of a room are shown in words', (t) => {
  const day: [string, string][] = [['08:00', '20:00']];
  t.is(describeOpeningHours({ opening_hours: null }), 'Always open');
  t.is(
    describeOpeningHours({ opening_hours: { mon: day, tue: day, thu: day, sun: [] } }),
    'Monday–Tuesday 08:00–20:00; Wednesday closed; Thursday 08:00–20:00; Friday–Sunday closed',
  );
  t.deepEqual(describeRefundSteps(ENGLISH, []), ['If cancelled before the start, nothing is refunded.']);
  t.deepEqual(describeRefundSteps(ENGLISH, [{ hours_before: 0, percent: 100 }]), [
    'If cancelled before the start, the price is refunded in full.',
  ]);
  t.deepEqual(
    describeRefundSteps(ENGLISH, [
      { hours_before: 1, percent: 25 },
      { hours_before: 48, percent: 100 },
    ]),
    [
      'If cancelled at least 2 days before the start, the price is refunded in full.',
      'If cancelled at least 1 hour before the start, 25% of the price is refunded.',
      'If cancelled later, nothing is refunded.',
    ],
  );
  const start_at = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 0, 15, 10));
  const booking = { start_at, time_zone: 'Europe/London', currency: 'GBP', now: new Date() };
  t.regex(
    describeRefundSteps(ENGLISH, [{ hours_before: 24, percent: 50 }], booking)[0]!,
    /^If cancelled by \w+ 14 Jan \d+, 10:00, 50% of the price is refunded\.$/,
  );
  const past = { ...booking, start_at: new Date(Date.now() + HOUR_MS) };
  t.deepEqual(describeRefundSteps(ENGLISH, [{ hours_before: 24, percent: 50 }], past), [
    'If cancelled before the start, nothing is refunded.',
  ]);
});
