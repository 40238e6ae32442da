import test from 'ava';
import { writeAvailability, writeRoom } from '../../api/resources/bookings/availability/read.js';
import { writeCalendar } from '../../api/resources/bookings/calendar/ics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import { DEFAULT_TAX_CODES, type TaxCode } from '../../domain/rates/price.js';
import { someRate } from '../support/some-rate.js';
import { longestBlock } from '../support/longest-block.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const MONTH = { start: NOW, end: NOW + 31 * DAY_MS };
const LOADED = { start: NOW - DAY_MS, end: NOW + 33 * DAY_MS };

/** The availability of rooms over a month. */
const writeMonth = (rooms: Parameters<typeof writeRoom>[0][], taxCodes?: TaxCode[]): Promise<Buffer> =>
  writeAvailability(rooms, (room, turn) => writeRoom(room, MONTH, NOW, turn, taxCodes));

/** The maximum for a room. Each closes it for a few minutes. */
const RATES = Array.from({ length: 100 }, (_, n) =>
  someRate({ from: `23:${String(n % 59).padStart(2, '0')}`, to: '23:59', closed: n % 2 === 0 }),
);

/** Every second slot of a month is taken, and opening hours have the maximum of windows per day. */
function busyRoom(slotMinutes: number, blackouts: number) {
  const slot = slotMinutes * MINUTE_MS;
  const windows = Array.from({ length: 10 }, (_, n) => [
    `${String(2 * n).padStart(2, '0')}:00`,
    `${String(2 * n + 1).padStart(2, '0')}:30`,
  ]);
  const taken = (count: number, length: number, gap: number) =>
    Array.from({ length: count }, (_, n) => ({ start: NOW + n * gap, end: NOW + n * gap + length }));
  return {
    room: {
      id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b70',
      name: 'Blue',
      time_zone: 'Europe/London',
      slot_minutes: slotMinutes,
      min_minutes: null,
      max_minutes: null,
      turnaround_minutes: 0,
      opening_hours: Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, windows]),
      ),
      rates: RATES,
    },
    tier: null,
    loaded: LOADED,
    claims: taken(Math.floor((31 * DAY_MS) / (2 * slot)), slot, 2 * slot),
    part_claims: [],
    blackouts: taken(blackouts, MINUTE_MS, 8 * MINUTE_MS),
  };
}

test.serial(
  'a month of a room with one-minute slots and 5,000 blackouts blocks the event loop for less than 100 ms',
  async (t) => {
    const rooms = Array.from({ length: 3 }, () => busyRoom(1, 5_000)) as never;
    const block = await longestBlock(() => writeMonth(rooms));
    t.log(`${Math.round(block)} ms`);
    t.true(block < 100, `${block} ms`);
  },
);

test.serial(
  'a month of a room with one-minute slots is priced by 100 rates without blocking the event loop for 100 ms',
  async (t) => {
    const dated = Array.from({ length: 100 }, (_, n) => {
      const from = `2030-01-${String(1 + (n % 31)).padStart(2, '0')}`;
      return someRate({
        dates: { from, to: null },
        unit: n % 2 ? 'flat' : 'hour',
        from: '09:30',
        to: '09:00',
      });
    });
    const priced = { price_per_hour_minor: 2_500, currency: 'GBP', tax_code: 'STANDARD', tier_discounts: {} };
    const busy = busyRoom(1, 5_000);
    const rooms = [busy.claims, []].map((claims, n) => {
      const room = { ...busy.room, ...priced, id: `room ${n}`, rates: dated, rate_version: 1 };
      return { ...busy, claims, room: { ...room, opening_hours: n === 0 ? room.opening_hours : null } };
    }) as never;
    const block = await longestBlock(() => writeMonth(rooms, DEFAULT_TAX_CODES));
    t.log(`${Math.round(block)} ms`);
    t.true(block < 100, `${block} ms`);
  },
);

test.serial('a month of 500 busy rooms blocks the event loop for less than 100 ms', async (t) => {
  const room = busyRoom(30, 100);
  const block = await longestBlock(() => writeMonth(Array(500).fill(room) as never));
  t.log(`${Math.round(block)} ms`);
  t.true(block < 100, `${block} ms`);
});

test.serial(
  'a feed of 10,000 bookings with the longest notes blocks the event loop for less than 100 ms',
  async (t) => {
    const bookings = Array.from({ length: 10_000 }, (_, n) => ({
      id: `bk_${n}`,
      status: 'confirmed',
      sequence: 1,
      start_at: new Date(NOW + n * HOUR_MS),
      end_at: new Date(NOW + (n + 1) * HOUR_MS),
      updated_at: new Date(NOW),
      // Together they take almost the 10 MiB of a feed.
      room_name: 'é'.repeat(100),
      workspace_name: 'Harbour House',
      member_id: null,
      booked_by: 'Ada Lovelace',
      attendees: 1,
      // 300 of them have the longest notes.
      notes: n < 300 ? 'é, '.repeat(1_666) : 'Some water, please.',
    }));
    const block = await longestBlock(() => writeCalendar('Harbour House', bookings as never, 'mem_1'), 2);
    t.log(`${Math.round(block)} ms`);
    t.true(block < 100, `${block} ms`);
  },
);
