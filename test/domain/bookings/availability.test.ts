import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { computeAvailability, type RoomCalendar } from '../../../domain/bookings/availability.js';
import { type Range } from '../../../domain/bookings/slots.js';

interface Case {
  room?: Partial<RoomCalendar['room']>;
  claims?: string[];
  blackouts?: string[];
  requested: string;
  now?: string;
  free: string[];
  busy: string[];
}

const instant = (text: string): number => Date.parse(`${text}Z`);

const readRange = (text: string): Range => {
  const [start, end] = text.split(' ');
  return { start: instant(start!), end: instant(end!) };
};

const show = ({ start, end }: Range): string =>
  `${new Date(start).toISOString().slice(0, 16)} ${new Date(end).toISOString().slice(0, 16)}`;

/** Times in UTC; 2027-03-01 is a Monday. London's clocks change on 2027-03-28 and on 2027-10-31. */
const CASES: Record<string, Case> = {
  'an empty room is free, in complete slots': {
    requested: '2027-03-01T09:10 2027-03-01T17:50',
    free: ['2027-03-01T09:30 2027-03-01T17:30'],
    busy: [],
  },
  'back-to-back bookings are one busy window, and its edges are free': {
    claims: ['2027-03-01T10:00 2027-03-01T11:00', '2027-03-01T11:00 2027-03-01T12:00'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T12:00 2027-03-01T13:00'],
    busy: ['2027-03-01T10:00 2027-03-01T12:00 booked'],
  },
  'turnaround before and after a booking is busy, up to the next grid line': {
    room: { turnaround_minutes: 20 },
    claims: ['2027-03-01T10:00 2027-03-01T11:20'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T09:30', '2027-03-01T11:30 2027-03-01T13:00'],
    busy: ['2027-03-01T09:30 2027-03-01T11:30 booked'],
  },
  'the turnaround before a booking outside the requested range is busy within it': {
    room: { turnaround_minutes: 30 },
    claims: ['2027-03-01T13:00 2027-03-01T14:30'],
    requested: '2027-03-01T11:00 2027-03-01T13:00',
    free: ['2027-03-01T11:00 2027-03-01T12:30'],
    busy: ['2027-03-01T12:30 2027-03-01T13:00 booked'],
  },
  'a gap shorter than min_minutes has the weaker reason of its neighbours': {
    room: { min_minutes: 60, opening_hours: { mon: [['09:00', '18:00']] } },
    claims: ['2027-03-01T09:30 2027-03-01T12:00', '2027-03-01T12:30 2027-03-01T14:00'],
    blackouts: ['2027-03-01T14:30 2027-03-01T15:00', '2027-03-01T17:30 2027-03-01T17:45'],
    requested: '2027-03-01T08:00 2027-03-01T19:00',
    free: ['2027-03-01T15:00 2027-03-01T17:30'],
    busy: [
      '2027-03-01T08:00 2027-03-01T09:00 closed',
      '2027-03-01T09:00 2027-03-01T14:30 booked',
      '2027-03-01T14:30 2027-03-01T15:00 blackout',
      '2027-03-01T17:30 2027-03-01T18:00 blackout',
      '2027-03-01T18:00 2027-03-01T19:00 closed',
    ],
  },
  'a gap of exactly min_minutes is free': {
    room: { min_minutes: 60 },
    claims: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T11:00 2027-03-01T12:00'],
    requested: '2027-03-01T09:00 2027-03-01T12:00',
    free: ['2027-03-01T10:00 2027-03-01T11:00'],
    busy: ['2027-03-01T09:00 2027-03-01T10:00 booked', '2027-03-01T11:00 2027-03-01T12:00 booked'],
  },
  'a gap at the edge is free if a booking can extend beyond the requested range, otherwise busy': {
    room: { min_minutes: 120 },
    claims: ['2027-03-01T10:00 2027-03-01T11:00', '2027-03-01T12:30 2027-03-01T13:00'],
    requested: '2027-03-01T11:30 2027-03-01T13:30',
    free: ['2027-03-01T13:00 2027-03-01T13:30'],
    busy: ['2027-03-01T11:30 2027-03-01T13:00 booked'],
  },
  'a room without an allowed length on the grid is closed': {
    room: { slot_minutes: 60, min_minutes: 90, max_minutes: 100 },
    requested: '2027-03-01T10:00 2027-03-01T12:00',
    free: [],
    busy: ['2027-03-01T10:00 2027-03-01T12:00 closed'],
  },
  'a free window may be longer than max_minutes': {
    room: { max_minutes: 60 },
    requested: '2027-03-01T10:00 2027-03-01T20:00',
    free: ['2027-03-01T10:00 2027-03-01T20:00'],
    busy: [],
  },
  'where several reasons apply, the reason is the one that a create returns': {
    room: { opening_hours: { mon: [['08:00', '12:00']] } },
    claims: ['2027-03-01T09:00 2027-03-01T13:00'],
    blackouts: ['2027-03-01T10:00 2027-03-01T11:00'],
    requested: '2027-03-01T08:00 2027-03-01T14:00',
    free: ['2027-03-01T08:00 2027-03-01T09:00'],
    busy: [
      '2027-03-01T09:00 2027-03-01T10:00 booked',
      '2027-03-01T10:00 2027-03-01T11:00 blackout',
      '2027-03-01T11:00 2027-03-01T12:00 booked',
      '2027-03-01T12:00 2027-03-01T14:00 closed',
    ],
  },
  'a blackout off the grid blocks every slot it overlaps': {
    blackouts: ['2027-03-01T10:10 2027-03-01T10:50'],
    requested: '2027-03-01T09:00 2027-03-01T12:00',
    free: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T11:00 2027-03-01T12:00'],
    busy: ['2027-03-01T10:00 2027-03-01T11:00 blackout'],
  },
  'past time is closed, and a booking must start after now': {
    requested: '2027-03-01T08:00 2027-03-01T12:00',
    now: '2027-03-01T10:00',
    free: ['2027-03-01T10:30 2027-03-01T12:00'],
    busy: ['2027-03-01T08:00 2027-03-01T10:30 closed'],
  },
  'the latest start is 730 days ahead, and the free window ends before a booking that starts later would': {
    room: { min_minutes: 60 },
    now: '2025-03-01T10:00',
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T11:00'],
    busy: ['2027-03-01T11:00 2027-03-01T13:00 closed'],
  },
  'time after the latest start is closed': {
    now: '2024-03-01T10:00',
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: [],
    busy: ['2027-03-01T09:00 2027-03-01T13:00 closed'],
  },
  'an archived room is closed': {
    room: { archived: true },
    claims: ['2027-03-01T10:00 2027-03-01T11:00'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: [],
    busy: ['2027-03-01T09:00 2027-03-01T13:00 closed'],
  },
  'opening hours across midnight belong to the day they begin on': {
    room: { opening_hours: { mon: [['20:00', '02:00']], tue: [['02:00', '04:00']] } },
    requested: '2027-03-01T00:00 2027-03-03T00:00',
    free: ['2027-03-01T20:00 2027-03-02T04:00'],
    busy: ['2027-03-01T00:00 2027-03-01T20:00 closed', '2027-03-02T04:00 2027-03-03T00:00 closed'],
  },
  'opening hours off the grid are free from the first to the last grid line within them': {
    room: { opening_hours: { mon: [['09:15', '16:50']] } },
    requested: '2027-03-01T09:00 2027-03-01T17:00',
    free: ['2027-03-01T09:30 2027-03-01T16:30'],
    busy: ['2027-03-01T09:00 2027-03-01T09:30 closed', '2027-03-01T16:30 2027-03-01T17:00 closed'],
  },
  'opening hours are wall-clock time on a day of 23 hours': {
    room: { opening_hours: { sat: [['22:00', '04:00']], sun: [['08:00', '20:00']] } },
    requested: '2027-03-27T22:00 2027-03-28T20:00',
    free: ['2027-03-27T22:00 2027-03-28T03:00', '2027-03-28T07:00 2027-03-28T19:00'],
    busy: ['2027-03-28T03:00 2027-03-28T07:00 closed', '2027-03-28T19:00 2027-03-28T20:00 closed'],
  },
  'opening hours are wall-clock time on a day of 25 hours': {
    room: { opening_hours: { sun: [['00:00', '00:00']] } },
    requested: '2027-10-30T00:00 2027-11-02T00:00',
    free: ['2027-10-30T23:00 2027-11-01T00:00'],
    busy: ['2027-10-30T00:00 2027-10-30T23:00 closed', '2027-11-01T00:00 2027-11-02T00:00 closed'],
  },
  'a booking may end at the clock change, where the first instant after it stands for a line': {
    room: {
      time_zone: 'Australia/Lord_Howe',
      slot_minutes: 45,
      min_minutes: 120,
      max_minutes: 120,
      opening_hours: { sat: [['02:00', '02:00']] },
    },
    requested: '2027-10-02T13:30 2027-10-02T15:30',
    free: ['2027-10-02T13:30 2027-10-02T15:30'],
    busy: [],
  },
  'a booking may start after the clock change, where the first instant after it stands for a line': {
    room: { time_zone: 'Australia/Lord_Howe', slot_minutes: 60, min_minutes: 120, max_minutes: 120 },
    now: '2027-10-02T15:29',
    requested: '2027-10-02T15:30 2027-10-02T18:00',
    free: ['2027-10-02T15:30 2027-10-02T18:00'],
    busy: [],
  },
  'a slot of a day has 25 hours when clocks go back, and counts as one day': {
    room: { slot_minutes: 1440, max_minutes: 1440 },
    claims: ['2027-10-29T23:00 2027-10-30T23:00', '2027-11-01T00:00 2027-11-02T00:00'],
    requested: '2027-10-28T23:00 2027-11-03T00:00',
    free: [
      '2027-10-28T23:00 2027-10-29T23:00',
      '2027-10-30T23:00 2027-11-01T00:00',
      '2027-11-02T00:00 2027-11-03T00:00',
    ],
    busy: ['2027-10-29T23:00 2027-10-30T23:00 booked', '2027-11-01T00:00 2027-11-02T00:00 booked'],
  },
  'the grid follows the wall clock of Kathmandu': {
    room: { slot_minutes: 60, time_zone: 'Asia/Kathmandu' },
    requested: '2027-03-01T10:00 2027-03-01T13:00',
    free: ['2027-03-01T10:15 2027-03-01T12:15'],
    busy: [],
  },
};

for (const [title, { room, claims = [], blackouts = [], requested, now, free, busy }] of Object.entries(
  CASES,
)) {
  test(title, (t) => {
    const window = readRange(requested);
    const availability = computeAvailability(
      {
        room: {
          time_zone: 'Europe/London',
          slot_minutes: 30,
          min_minutes: null,
          max_minutes: null,
          capacity: null,
          opening_hours: null,
          tiers: null,
          archived: false,
          turnaround_minutes: 0,
          rates: [],
          ...room,
        },
        asker: null,
        loaded: { start: window.start - 2 * DAY_MS, end: window.end + 2 * DAY_MS },
        claims: claims.map(readRange),
        part_claims: [],
        blackouts: blackouts.map(readRange),
      },
      window,
      instant(now ?? '2027-01-01T00:00'),
    );
    t.deepEqual(availability.free.map(show), free);
    t.deepEqual(
      availability.busy.map((window) => `${show(window)} ${window.reason}`),
      busy,
    );
  });
}
