import test from 'ava';
import { buildOfferedMonth, formMonth, monthRange } from '../../../domain/bookings/form-month.js';
import { HOUR_MS } from '../../../domain/durations.js';

const now = Date.parse('2027-03-10T12:00:00Z');
const LONDON = { zone: 'Europe/London', now };
const at = (iso: string): Date => new Date(iso);

test('a form shows the month of a day or of the address, and ignores those in which no booking can start', (t) => {
  const month = (asked: { day?: string; month?: string }) => formMonth(asked, LONDON).month;
  t.is(month({}), '2027-03');
  t.is(month({ month: '2027-05' }), '2027-05');
  t.is(month({ day: '2027-04-02', month: '2027-05' }), '2027-04');
  for (const ignored of ['2027-02', '2027-13', '9999-01', '2027-04-01', 'May'])
    t.is(month({ month: ignored }), '2027-03', ignored);
  for (const ignored of ['2027-03-09', '2027-04-31', '9999-01-01'])
    t.deepEqual(formMonth({ day: ignored }, LONDON).asked, {}, ignored);
  const moved = formMonth({}, { ...LONDON, opens_at: at('2027-06-30T23:30:00Z') });
  t.like(moved, { month: '2027-07', opens: '2027-07-01' }, 'it is already July in London');
});

test('months before and after are those in which bookings may start', (t) => {
  t.like(formMonth({}, LONDON), { previous: undefined, next: '2027-04' });
  t.like(formMonth({ month: '2027-04' }, LONDON), { previous: '2027-03', next: '2027-05' });
  let last = formMonth({}, LONDON);
  while (last.next) last = formMonth({ month: last.next }, LONDON);
  t.is(last.days[0]! > '2027-12', true, 'bookings are possible for a long time');
  t.is(formMonth({ month: last.month }, LONDON).month, last.month);
});

test('a month has its days in the zone of the room, also when clocks change', (t) => {
  const hours = (month: string, zone = 'Europe/London') => {
    const form = formMonth({ month }, { zone, now });
    const { from, until } = monthRange(form);
    return [form.days.length, (until - from) / HOUR_MS - form.days.length * 24];
  };
  t.deepEqual(hours('2027-03'), [31, -1]);
  t.deepEqual(hours('2027-04'), [30, 0]);
  t.deepEqual(hours('2027-10'), [31, 1]);
  t.deepEqual(hours('2028-02'), [29, 0]);
  t.deepEqual(hours('2027-04', 'Australia/Lord_Howe'), [30, 0.5], 'by half an hour');
});

test('a form opens on the first free day, and a chosen day is shown as it is', (t) => {
  // 28 March has 23 hours in London: its last half hour is 22:30 in UTC.
  const free = ['2027-03-05T10:00Z', '2027-03-28T22:30Z', '2027-03-28T23:00Z', '2027-03-31T22:00Z'].map(at);
  const build = (asked: { day?: string; month?: string }) =>
    buildOfferedMonth(formMonth(asked, LONDON), free);
  const opened = build({});
  t.deepEqual([...opened.free], ['2027-03-05', '2027-03-28', '2027-03-29', '2027-03-31']);
  t.is(opened.day, '2027-03-28', 'not a day before today');
  t.deepEqual(opened.starts, [free[1]]);
  const chosen = build({ day: '2027-03-30' });
  t.like(chosen, { day: '2027-03-30', starts: [], nextFree: '2027-03-31' });
  t.like(build({ day: '2027-03-31' }), { starts: [free[3]], nextFree: undefined });
  t.like(buildOfferedMonth(formMonth({}, LONDON), []), { day: undefined, starts: [] });
});
