import test from 'ava';
import { DAY_MS } from '../../../domain/durations.js';
import { rateWeek, weekRows } from '../../../domain/rates/week.js';
import { someRate } from '../../support/some-rate.js';

/** A Monday. */
const MONDAY = Date.parse('2027-03-22') / DAY_MS;

const buildRoom = (rates: ReturnType<typeof someRate>[], opening_hours: object | null = null) => ({
  time_zone: 'Europe/London',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours,
  tiers: null,
  archived: false,
  rates,
});

const said = (room: ReturnType<typeof buildRoom>) =>
  rateWeek(room, MONDAY).map((day) =>
    day.map(
      ({ from, to, rate, isShut }) => `${from / 60}-${to / 60} ${isShut ? 'shut' : (rate?.name ?? 'hourly')}`,
    ),
  );

test('a week shows the first matching rate for everyone, by the wall clock also on clock changes', (t) => {
  const rates = [
    someRate({ name: 'Members', audience: { kind: 'members', tiers: null, company_ids: null } }),
    someRate({ name: 'Long', min_minutes: 240 }),
    someRate({ name: 'Night', days: ['sat'], from: '22:00', to: '02:00' }),
    someRate({ name: 'Evening', from: '18:00', to: '23:00' }),
  ];
  const week = said(buildRoom(rates));
  t.deepEqual(week[0], ['0-18 hourly', '18-23 Evening', '23-24 hourly']);
  t.deepEqual(week[5], ['0-18 hourly', '18-22 Evening', '22-24 Night']);
  // The night on which clocks go forward at 01:00.
  t.deepEqual(week[6], ['0-2 Night', '2-18 hourly', '18-23 Evening', '23-24 hourly']);
});

test('time outside opening hours is closed, whatever the rates', (t) => {
  const week = said(buildRoom([someRate({ name: 'Always' })], { mon: [['08:00', '20:00']] }));
  t.deepEqual(week[0], ['0-8 shut', '8-20 Always', '20-24 shut']);
  t.deepEqual(week[1], ['0-24 shut']);
});

test('the rows of a week cover each minute of each day once', (t) => {
  const rates = [
    someRate({ days: ['tue'], from: '10:15', to: '11:00' }),
    someRate({ days: ['sat', 'sun'], from: '18:00', to: '04:00' }),
  ];
  const week = rateWeek(buildRoom(rates), MONDAY);
  const rows = weekRows(week);
  for (let day = 0; day < 7; day++) {
    const filled = rows.flatMap(({ days }, n) => {
      const cell = days[day];
      return cell ? Array.from({ length: cell.rows }, (_, down) => n + down) : [];
    });
    t.deepEqual(filled, [...rows.keys()]);
    t.deepEqual(
      rows.flatMap(({ days }) => days[day]?.stretch ?? []),
      week[day],
    );
  }
});
