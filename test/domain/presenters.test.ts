import { MINUTE_MS } from '../../domain/durations.js';
import test from 'ava';
import fc from 'fast-check';
import { describeBooking, formatTime } from '../../domain/bookings/words.js';
import { minuteOf2026To2030, zone } from '../support/zones.js';

test('a booked time is formatted as by Intl in British English', (t) => {
  fc.assert(
    fc.property(zone, minuteOf2026To2030, fc.integer({ min: 1, max: 3_000 }), (timeZone, start, minutes) => {
      const [start_at, end_at] = [new Date(start), new Date(start + minutes * MINUTE_MS)];
      const intl = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
      // Intl omits the end if clocks go back so that start and end read the same.
      fc.pre(intl.format(start_at) !== intl.format(end_at));
      const expected = `${intl.formatRange(start_at, end_at)} (${timeZone})`;
      t.is(formatTime({ time_zone: timeZone, start_at, end_at }), expected);
    }),
    { numRuns: 300 },
  );
});

test('a booking is described by its room and time', (t) => {
  const description = describeBooking({
    room_name: 'Blue room',
    time_zone: 'Europe/London',
    start_at: new Date('2027-10-31T00:30Z'),
    end_at: new Date('2027-10-31T01:30Z'),
  });
  t.is(description, 'Blue room, 31 Oct 2027, 01:30–01:30 (Europe/London)');
});
