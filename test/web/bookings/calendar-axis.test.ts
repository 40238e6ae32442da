import test from 'ava';
import { buildAxis, findPlaces, type AxisDay } from '../../../web/dashboard/calendar/axis.js';

const ALL = { from: 0, to: 3_000 };
const day = (date: string, time_zone: string): AxisDay => ({ midnight: Date.parse(date), time_zone });
const range = (start: string, end: string) => ({ start: Date.parse(start), end: Date.parse(end) });
const firstHours = ({ hours }: ReturnType<typeof buildAxis>) =>
  hours.slice(0, 5).map(({ minute, top, again }) => `${minute / 60}@${top}${again ? ' again' : ''}`);

test('a quarter of an hour is 15 minutes of the axis', (t) => {
  const axis = buildAxis([day('2026-11-25', 'Europe/London')]);
  t.is(axis.minutes, 1440);
  t.deepEqual(firstHours(axis), ['0@0', '1@60', '2@120', '3@180', '4@240']);
  t.deepEqual(findPlaces(axis.stretches[0]!, range('2026-11-25T09:15Z', '2026-11-25T09:30Z'), ALL), [
    { top: 555, minutes: 15 },
  ]);
  t.deepEqual(axis.gaps, [[]]);
});

test('a day of 23 hours has no time where clocks go forward, and a booking over it has two places', (t) => {
  // London, 2027-03-28: 01:00 is followed by 02:00.
  const axis = buildAxis([day('2027-03-28', 'Europe/London')]);
  t.is(axis.minutes, 1440);
  t.deepEqual(axis.gaps, [[{ top: 60, minutes: 60, skipped: true }]]);
  t.deepEqual(findPlaces(axis.stretches[0]!, range('2027-03-28T00:30Z', '2027-03-28T01:30Z'), ALL), [
    { top: 30, minutes: 30 },
    { top: 120, minutes: 30 },
  ]);
});

test('a day of 25 hours has the repeated hour twice, and neighbouring days have a gap there', (t) => {
  // London, 2026-10-25: 02:00 is 01:00 again, at 01:00 UTC.
  const axis = buildAxis([day('2026-10-25', 'Europe/London'), day('2026-10-26', 'Europe/London')]);
  t.is(axis.minutes, 1500);
  t.deepEqual(firstHours(axis), ['0@0', '1@60', '1@120 again', '2@180', '3@240']);
  const [changing, usual] = axis.stretches;
  const places = (stretches: typeof changing, start: string, end: string) =>
    findPlaces(stretches!, range(start, end), ALL);
  t.deepEqual(places(changing, '2026-10-25T00:30Z', '2026-10-25T00:45Z'), [{ top: 90, minutes: 15 }]);
  t.deepEqual(places(changing, '2026-10-25T01:30Z', '2026-10-25T01:45Z'), [{ top: 150, minutes: 15 }]);
  t.deepEqual(places(changing, '2026-10-24T23:00Z', '2026-10-25T24:00Z'), [{ top: 0, minutes: 1500 }]);
  t.deepEqual(places(usual, '2026-10-26T01:30Z', '2026-10-26T02:30Z'), [
    { top: 90, minutes: 30 },
    { top: 180, minutes: 30 },
  ]);
  t.deepEqual(axis.gaps, [[], [{ top: 120, minutes: 60, skipped: false }]]);
});

test('half an hour is repeated on Lord Howe Island, and rooms in other zones have a gap next to it', (t) => {
  const axis = buildAxis([day('2027-04-04', 'Australia/Lord_Howe'), day('2027-04-04', 'Asia/Kathmandu')]);
  t.is(axis.minutes, 1470);
  t.deepEqual(axis.gaps, [[], [{ top: 120, minutes: 30, skipped: false }]]);
  // 03:00 in Kathmandu is 21:15 UTC on the day before.
  t.deepEqual(findPlaces(axis.stretches[1]!, range('2027-04-03T21:15Z', '2027-04-03T22:15Z'), ALL), [
    { top: 210, minutes: 60 },
  ]);
});

test('what lasts past midnight is cut at the day, and at the visible part of the axis', (t) => {
  const { stretches } = buildAxis([day('2026-11-25', 'Europe/London')]);
  const night = range('2026-11-24T22:00Z', '2026-11-25T02:00Z');
  t.deepEqual(findPlaces(stretches[0]!, night, ALL), [{ top: 0, minutes: 120 }]);
  t.deepEqual(findPlaces(stretches[0]!, night, { from: 480, to: 1200 }), []);
  t.deepEqual(findPlaces(stretches[0]!, night, { from: 60, to: 1200 }), [{ top: 60, minutes: 60 }]);
});
