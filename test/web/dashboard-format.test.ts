import test from 'ava';
import { formatAmount, formatDay, formatMoment, formatSpan, currencyLocale } from '../../domain/display.js';

const span = (start: string, end: string, time_zone = 'Europe/London') => ({
  start_at: new Date(start),
  end_at: new Date(end),
  time_zone,
});
const NOW = new Date('2026-11-20T00:00:00Z');

test('amounts have the symbol and the decimals of their currency', (t) => {
  t.is(formatAmount({ amount_minor: 3000, currency: 'GBP' }), '£30.00');
  t.is(formatAmount({ amount_minor: -123_456, currency: 'GBP' }), '−£1,234.56');
  t.is(formatAmount({ amount_minor: 500, currency: 'JPY' }), 'JP¥500');
  t.is(formatAmount({ amount_minor: 1250, currency: 'USD' }), 'US$12.50');
  t.is(formatAmount({ amount_minor: 1250, currency: 'USD' }, 'en-US'), '$12.50');
  t.is(formatAmount({ amount_minor: 1250, currency: 'KWD' }).replace(/\s/, ' '), 'KWD 1.250');
});

test('times are those of the room, in the language of the workspace', (t) => {
  const noon = span('2030-11-24T10:00:00Z', '2030-11-24T11:00:00Z');
  t.is(formatSpan(noon, NOW), 'Sun 24 Nov 2030, 10:00–11:00');
  t.is(formatDay(new Date('2026-11-24T10:00:00Z'), 'Europe/London', NOW, 'en-GB'), 'Tue 24 Nov');
  t.is(formatDay(new Date('2026-11-24T10:00:00Z'), 'America/New_York', NOW, 'en-US'), 'Tue, Nov 24');
  t.is(
    formatSpan(span('2030-06-30T22:30:00Z', '2030-06-30T23:30:00Z'), NOW),
    'Sun 30 Jun 2030, 23:30 – Mon 1 Jul 2030, 00:30',
  );
  t.regex(
    formatMoment(
      new Date('2030-11-24T15:00:00Z'),
      'America/New_York',
      NOW,
      currencyLocale({ currency: 'USD' }),
    ),
    /10:00\sAM$/,
  );
});

test('a time that occurs twice in a night has its zone in text for people', (t) => {
  const hour = span('2027-10-31T00:00:00Z', '2027-10-31T01:00:00Z');
  t.is(formatSpan(hour, NOW), 'Sun 31 Oct 2027, 01:00 BST–01:00 GMT');
  t.is(formatSpan(span('2027-10-31T02:00:00Z', '2027-10-31T03:00:00Z'), NOW), 'Sun 31 Oct 2027, 02:00–03:00');
  t.regex(formatSpan(hour, NOW, 'de-DE'), /01:00 MESZ–01:00|01:00 GMT\+1–01:00 GMT/);
  t.is(
    formatSpan(span('2027-03-28T00:00:00Z', '2027-03-28T01:00:00Z'), NOW),
    'Sun 28 Mar 2027, 00:00–02:00',
    'none occurs twice in spring',
  );
});
