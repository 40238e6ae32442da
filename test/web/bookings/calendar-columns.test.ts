import test from 'ava';
import type { CalendarBooking } from '../../../db/queries/bookings/booking.js';
import { someRate } from '../../support/some-rate.js';
import { buildAxis } from '../../../web/dashboard/calendar/axis.js';
import { buildDayColumn, shownMinutes, type Column } from '../../../web/dashboard/calendar/columns.js';

const at = (time: string): number => Date.parse(`${time}Z`);
const parseSpan = (span: string) => {
  const [start, end] = span.split(' ').map((time) => at(`2027-03-01T${time}`));
  return { start: start!, end: end! };
};

/** The parts and starts on 2027-03-01, a Monday, in a London room. */
function drawn(overrides: {
  room?: Partial<Column['room']>;
  claims?: string[];
  /** In other rooms that share a part with it. */
  taken?: string[];
  bookings?: string[];
  blackouts?: string[];
  now?: string;
}) {
  const {
    room,
    claims = [],
    taken = [],
    bookings = [],
    blackouts = [],
    now = '2027-02-01T00:00',
  } = overrides;
  const shown = buildDayColumn(
    {
      room: {
        id: 'room',
        name: 'Garden room',
        time_zone: 'Europe/London',
        slot_minutes: 30,
        min_minutes: null,
        max_minutes: null,
        capacity: null,
        opening_hours: { mon: [['08:00', '12:00']] },
        tiers: null,
        archived: false,
        turnaround_minutes: 0,
        rates: [],
        edit_window_minutes: 0,
        ...room,
      },
      asker: null,
      loaded: { start: at('2027-02-27T00:00'), end: at('2027-03-04T00:00') },
      claims: claims.map(parseSpan),
      part_claims: taken.map((span) => ({ ...parseSpan(span), room_name: 'Hall' })),
      blackouts: blackouts.map(parseSpan),
    },
    at('2027-03-01T00:00'),
    bookings.map((span) => {
      const { start, end } = parseSpan(span);
      return { room_id: 'room', start_at: new Date(start), end_at: new Date(end) } as CalendarBooking;
    }),
    blackouts.map((span) => {
      const { start, end } = parseSpan(span);
      const times = { start_at: new Date(start), end_at: new Date(end), created_at: new Date(0) };
      return {
        id: span,
        room_id: 'room',
        reason: null,
        of: null,
        ...times,
      } as unknown as Column['parts'][0]['blackouts'][0];
    }),
    at(now),
  );
  const clock = (time: number): string => new Date(time).toISOString().slice(11, 16);
  return {
    parts: shown.parts.map(({ start, end, kind, takenBy }) =>
      [`${clock(start)}-${clock(end)}`, kind, ...takenBy].join(' '),
    ),
    starts: shown.starts.map(({ start, end }) => `${clock(start)}-${clock(end)}`),
    column: shown,
  };
}

test('a day is closed outside its hours, and free time has a start for each slot', (t) => {
  const { parts, starts } = drawn({});
  t.deepEqual(parts, ['00:00-08:00 closed', '08:00-12:00 free', '12:00-00:00 closed']);
  t.deepEqual(starts.slice(-3), ['10:30-11:30', '11:00-12:00', '11:30-12:00'], 'an hour, if it is free');
  t.is(starts.length, 8);
});

test('the buffer is drawn to the minute, before and after a booking', (t) => {
  const { parts } = drawn({
    room: { turnaround_minutes: 10, slot_minutes: 5 },
    bookings: ['09:00 10:00'],
    claims: ['09:00 10:10'],
  });
  t.deepEqual(parts.slice(1, -1), [
    '08:00-08:50 free',
    '08:50-09:00 buffer',
    '10:00-10:10 buffer',
    '10:10-12:00 free',
  ]);
});

test('time taken by a booking of the whole, or of a part, names that room', (t) => {
  const { parts, starts } = drawn({
    room: { turnaround_minutes: 30 },
    bookings: ['08:00 09:00'],
    claims: ['08:00 09:30'],
    taken: ['10:30 11:30'],
  });
  t.deepEqual(parts.slice(1, -1), [
    '09:00-09:30 buffer',
    '09:30-10:00 free',
    '10:00-11:30 taken Hall',
    '11:30-12:00 free',
  ]);
  t.deepEqual(starts, ['09:30-10:00', '11:30-12:00']);
});

test('a blackout and time too short for a booking are drawn separately', (t) => {
  const { parts, starts } = drawn({
    room: { min_minutes: 120 },
    bookings: ['10:30 11:00'],
    claims: ['10:30 11:00'],
    blackouts: ['11:00 11:30'],
  });
  t.deepEqual(parts.slice(1, -1), ['08:00-10:30 free', '11:00-11:30 blackout', '11:30-12:00 short']);
  t.deepEqual(starts, ['08:00-10:00', '08:30-10:30']);
});

test('time that a rate closes is not called too short, also in the past and beside a blackout', (t) => {
  const rates = [someRate({ closed: true, from: '09:00', to: '11:00' })];
  const during = { room: { rates, min_minutes: 60 }, blackouts: ['10:00 10:30'], bookings: ['09:00 09:30'] };
  const parts = [
    '08:00-09:00 free',
    '09:30-10:00 rate',
    '10:00-10:30 blackout',
    '10:30-11:00 rate',
    '11:00-12:00 free',
  ];
  t.deepEqual(drawn(during).parts.slice(1, -1), parts);
  const past = drawn({ ...during, now: '2027-03-02T00:00' }).parts.slice(1, -1);
  t.deepEqual(
    past,
    parts.map((part) => part.replace('free', 'past')),
  );
});

test('the running slot can be booked by staff, and earlier ones are past', (t) => {
  const { parts, starts } = drawn({ now: '2027-03-01T09:10' });
  t.deepEqual(parts.slice(0, 3), ['00:00-08:00 closed', '08:00-09:00 past', '09:00-12:00 free']);
  t.is(starts[0], '09:00-10:00');
});

test('the calendar shows the opening hours of its rooms and what is booked outside them', (t) => {
  const shown = (...columns: Column[]) =>
    shownMinutes(
      buildAxis(columns.map(({ midnight }) => ({ midnight, time_zone: 'Europe/London' }))),
      columns,
      false,
    );
  const open = (from: string, until: string, bookings: string[] = []) =>
    drawn({ room: { opening_hours: { mon: [[from, until]] } }, bookings }).column;
  const always = drawn({ room: { opening_hours: null } }).column;
  const closed = drawn({ room: { opening_hours: { sun: [['02:00', '03:00']] } } }).column;
  t.deepEqual(shown(open('09:30', '12:00')), { from: 9 * 60, to: 12 * 60 }, 'whole hours');
  t.deepEqual(shown(open('09:00', '12:00'), open('14:00', '22:00')), { from: 9 * 60, to: 22 * 60 });
  t.deepEqual(shown(open('09:00', '12:00', ['12:30 13:15'])), { from: 9 * 60, to: 14 * 60 });
  t.deepEqual(shown(open('09:00', '12:00'), closed), { from: 9 * 60, to: 12 * 60 });
  t.deepEqual(shown(closed), { from: 8 * 60, to: 20 * 60 }, 'a closed day has the usual hours');
  t.deepEqual(shown(open('10:00', '21:00'), always), { from: 8 * 60, to: 21 * 60 });
});
