import test from 'ava';
import { formDays, buildOfferedDays, formRange } from '../../../domain/bookings/form-days.js';
import { HOUR_MS } from '../../../domain/durations.js';

const UTC = { zone: 'UTC', now: Date.parse('2027-01-13T09:00:00Z') };
const chosenDay = (day: string, opened?: string) => formDays({ day, opened }, UTC).chosen;

/** Zones with a day on which clocks change at midnight, and its hours. */
const CHANGES = [
  ['America/Santiago', '2026-09-06', 23],
  ['America/Santiago', '2026-04-04', 25],
  ['Asia/Beirut', '2026-03-29', 23],
  ['Asia/Beirut', '2026-10-24', 25],
] as const;

for (const [zone, day, hours] of CHANGES)
  test(`the days of a form have all their hours in ${zone} around ${day}, which has ${hours}`, (t) => {
    const now = Date.parse(day) - 36 * HOUR_MS;
    const form = formDays({}, { zone, now });
    const { from, until } = formRange(form);
    const everyHour = Array.from(
      { length: (until - from) / HOUR_MS },
      (_, n) => new Date(from + n * HOUR_MS),
    );
    const offered = buildOfferedDays(form, everyHour);
    t.deepEqual(
      [...offered.days].map(([each, starts]) => [each, starts.length]),
      form.days.map((each) => [each, each === day ? hours : 24]),
    );
    t.true(form.days.includes(day));
    t.is(offered.opened, form.first);
  });

test('a chosen day is one on which a booking may start, and not one the form has opened on by itself', (t) => {
  t.is(chosenDay('2027-01-15'), '2027-01-15');
  t.is(chosenDay('2027-01-15', '2027-01-14'), '2027-01-15');
  t.is(chosenDay('2027-01-15', '2027-01-15'), undefined);
});

test('a day on which no booking may start is not chosen', (t) => {
  for (const day of ['2027-02-31', '2027-01-12', '2999-01-01', '2027-1-15', 'Friday', ''])
    t.is(chosenDay(day), undefined, day);
  t.is(formDays({ day: ['2027-01-15', '2027-01-16'] }, UTC).chosen, undefined);
});

test('a form shows the chosen day, or else the first with a free time, or else the one it looks from', (t) => {
  const free = [new Date('2027-01-16T10:00:00Z')];
  const opened = buildOfferedDays(formDays({}, UTC), free);
  t.like(opened, { day: '2027-01-16', opened: '2027-01-16', next: '2027-01-16', starts: free });
  const chosen = buildOfferedDays(formDays({ day: '2027-01-15' }, UTC), free);
  t.like(chosen, { day: '2027-01-15', opened: undefined, next: '2027-01-16', starts: [] });
  const moved = buildOfferedDays(formDays({}, { ...UTC, opens_at: new Date('2027-01-20T10:00:00Z') }), []);
  t.like(moved, { day: '2027-01-20', opened: '2027-01-20', next: undefined, starts: [] });
});
