import test from 'ava';
import type { CalendarBlock } from '../../../db/queries/bookings/calendar-blocks.js';
import type { ClosingBlackout } from '../../../db/queries/blackouts/blackout.js';
import { utcDay } from '../../../domain/cycle.js';
import { entriesByDay } from '../../../web/dashboard/calendar/board.js';

const times = (start: string, end: string) => ({ start_at: new Date(start), end_at: new Date(end) });
const booked = (room_id: string, start: string, end: string, id = `${room_id} ${start}`) =>
  ({ id, room_id, ...times(start, end) }) as CalendarBlock;

/** Which entries each day has, from the first one on: `>` before those that began earlier, and after. */
function shown(
  first: string,
  days: number,
  zones: Record<string, string>,
  bookings: CalendarBlock[],
  blackouts: ClosingBlackout[] = [],
) {
  const byDay = entriesByDay({ bookings, blackouts }, new Map(Object.entries(zones)), {
    first: Date.parse(first),
    days,
  });
  return [...byDay].map(([midnight, entries]) => [
    utcDay(midnight).slice(5),
    ...entries.map(({ of, begun, goesOn }) => {
      const id = 'booking' in of ? of.booking.id : `closed ${of.blackout.id}`;
      return `${begun ? '>' : ''}${id}${goesOn ? '>' : ''}`;
    }),
  ]);
}

test('a booking over midnight is on both days, and one that ends at midnight only on the first', (t) => {
  const bookings = [
    booked('a', '2027-01-11T22:00Z', '2027-01-12T02:00Z', 'night'),
    booked('a', '2027-01-11T20:00Z', '2027-01-12T00:00Z', 'evening'),
    booked('a', '2027-01-10T10:00Z', '2027-01-13T10:00Z', 'long'),
  ];
  t.deepEqual(shown('2027-01-11', 3, { a: 'Europe/London' }, bookings), [
    ['01-11', '>long>', 'evening', 'night>'],
    ['01-12', '>long>', '>night'],
    ['01-13', '>long'],
  ]);
});

test('a day is the day of the room’s clock', (t) => {
  const bookings = [
    booked('west', '2027-01-12T04:00Z', '2027-01-12T05:00Z', 'west'),
    booked('east', '2027-01-11T18:30Z', '2027-01-11T19:00Z', 'east'),
    booked('gone', '2027-01-11T18:30Z', '2027-01-11T19:00Z', 'not shown'),
  ];
  // 23:00 on the 11th in New York, 00:15 on the 12th in Kathmandu.
  t.deepEqual(shown('2027-01-11', 2, { west: 'America/New_York', east: 'Asia/Kathmandu' }, bookings), [
    ['01-11', 'west'],
    ['01-12', 'east'],
  ]);
});

test('on days on which clocks change, bookings are on the day that they are on', (t) => {
  const spring = [
    booked('a', '2027-03-27T23:30Z', '2027-03-28T00:30Z', 'before'),
    booked('a', '2027-03-28T22:30Z', '2027-03-28T23:30Z', 'after'),
  ];
  // London is one hour ahead from 2027-03-28T01:00Z: the day ends at 23:00 UTC.
  t.deepEqual(shown('2027-03-27', 3, { a: 'Europe/London' }, spring), [
    ['03-27', 'before>'],
    ['03-28', '>before', 'after>'],
    ['03-29', '>after'],
  ]);
  const autumn = [
    booked('a', '2027-10-30T23:00Z', '2027-10-31T00:00Z', 'first hour'),
    booked('a', '2027-10-31T23:00Z', '2027-11-01T00:00Z', 'last hour'),
  ];
  t.deepEqual(shown('2027-10-30', 3, { a: 'Europe/London' }, autumn), [
    ['10-30'],
    ['10-31', 'first hour', 'last hour'],
    ['11-01'],
  ]);
});

test('a blackout is on its days among the bookings, also one of another room that shares a part', (t) => {
  const blackout = (id: string, of: ClosingBlackout['of']) =>
    ({ id, room_id: 'a', of, ...times('2027-01-11T09:00Z', '2027-01-12T09:00Z') }) as ClosingBlackout;
  t.deepEqual(
    shown(
      '2027-01-11',
      2,
      { a: 'Europe/London' },
      [booked('a', '2027-01-11T08:00Z', '2027-01-11T09:00Z', 'early')],
      [blackout('own', null), blackout('hall', { room_id: 'b', name: 'Hall' })],
    ),
    [
      ['01-11', 'early', 'closed own>', 'closed hall>'],
      ['01-12', '>closed own', '>closed hall'],
    ],
  );
});
