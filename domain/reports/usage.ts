import { closedTime } from '../rates/windows.js';
import { closingRates, type RoomRate } from '../rates/rates.js';
import {
  mergeRanges,
  openWindows,
  toWeekday,
  type BookableRoom,
  type Range,
  type Weekday,
} from '../bookings/slots.js';
import { HOUR_MS, MINUTE_MS } from '../durations.js';
import { spanAt } from '../utc-offsets.js';

/** The longest range of a report, in days. */
export const MAX_REPORT_DAYS = 366;

/** A booking of a report. Net is without tax, in minor units. */
export interface UsedTime extends Range {
  currency: string;
  net_minor: number;
  /** Its invoice is paid, and charged something. */
  is_paid: boolean;
}

/** Minutes of an hour of the week, and what was charged for them. */
export interface Usage {
  open_minutes: number;
  booked_minutes: number;
  paid_minutes: number;
  /** Net by currency; minor units. */
  net: { currency: string; amount_minor: number }[];
}

/** The usage of an hour of the week, on the room's clock. */
export interface HourUsage extends Usage {
  weekday: Weekday;
  hour: number;
}

/** The room of a report, with its blackouts and bookings. */
export interface UsedRoom {
  room: BookableRoom & { rates: RoomRate[] };
  blackouts: Range[];
  bookings: UsedTime[];
}

const clip = (ranges: Range[], { start, end }: Range): Range[] =>
  ranges
    .map((range) => ({ start: Math.max(range.start, start), end: Math.min(range.end, end) }))
    .filter((range) => range.start < range.end);

/** Returns the parts of merged ranges that are in none of the others, which are merged too. */
function without(ranges: Range[], others: Range[]): Range[] {
  return ranges.flatMap((range) => {
    const left: Range[] = [];
    let { start } = range;
    for (const other of others) {
      if (other.end <= start || other.start >= range.end) continue;
      if (other.start > start) left.push({ start, end: other.start });
      start = Math.max(start, other.end);
    }
    return start < range.end ? [...left, { start, end: range.end }] : left;
  });
}

/**
 * Returns when a room was open in a range: in its opening hours, without blackouts and without rates that
 * close it to everybody; and while it was booked, so that booked time is always part of open time, even if
 * the hours have changed since.
 */
function openTime({ room, blackouts, bookings }: UsedRoom, range: Range): Range[] {
  const closed = mergeRanges([
    ...blackouts,
    ...closedTime(closingRates(room.rates, null), range, room.time_zone),
  ]);
  return mergeRanges([
    ...without(clip(openWindows(room, range), range), closed),
    ...clip(
      bookings.map(({ start, end }) => ({ start, end })),
      range,
    ),
  ]);
}

/** Splits a range at each hour of the room's clock. A clock that changes within an hour also splits it. */
function* hoursOf({ start, end }: Range, timeZone: string): Generator<Range & { key: number }> {
  for (let at = start; at < end;) {
    const { offset, end: changes } = spanAt(at, timeZone);
    const wall = at + offset;
    const until = Math.min(end, changes, (Math.floor(wall / HOUR_MS) + 1) * HOUR_MS - offset);
    yield { start: at, end: until, key: Math.floor(wall / HOUR_MS) };
    at = until;
  }
}

/** The hours of a week, from Monday on. */
const hourOfWeek = (hour: number): number => (((hour + 3 * 24) % 168) + 168) % 168;

const toMinutes = ({ start, end }: Range): number => (end - start) / MINUTE_MS;

/** The share of a price for the first minutes of a booking; the whole price for all of them. */
const shareFor = (net_minor: number, minutes: number, of: number): number =>
  minutes >= of ? net_minor : Math.round((net_minor * minutes) / of);

/** The sums of an hour of the week while they are added up. */
interface Sums {
  open: number;
  booked: number;
  paid: number;
  net: Map<string, number>;
}

const present = ({ open, booked, paid, net }: Sums): Usage => ({
  open_minutes: Math.round(open),
  booked_minutes: Math.round(booked),
  paid_minutes: Math.round(paid),
  net: [...net].map(([currency, amount_minor]) => ({ currency, amount_minor })),
});

/**
 * Returns how a room was used in `[from, to)`, in total and by weekday and hour of the room's clock
 * (docs/rules/reports.md#usage); hours in which it was never open are left out. The price of a booking is
 * spread evenly over its minutes, so that the hours of a booking, and periods that follow each other, add up
 * to the price.
 */
export function roomUsage(used: UsedRoom, range: Range): { total: Usage; hours: HourUsage[] } {
  const { time_zone } = used.room;
  const week = Array.from({ length: 168 }, (): Sums => ({ open: 0, booked: 0, paid: 0, net: new Map() }));
  const total: Sums = { open: 0, booked: 0, paid: 0, net: new Map() };
  const at = (key: number): Sums[] => [week[hourOfWeek(key)]!, total];

  for (const window of openTime(used, range))
    for (const hour of hoursOf(window, time_zone))
      for (const sums of at(hour.key)) sums.open += toMinutes(hour);

  for (const booking of used.bookings) {
    const length = toMinutes(booking);
    for (const inside of clip([booking], range))
      for (const hour of hoursOf(inside, time_zone)) {
        const minutes = toMinutes(hour);
        const before = (hour.start - booking.start) / MINUTE_MS;
        const net =
          shareFor(booking.net_minor, before + minutes, length) - shareFor(booking.net_minor, before, length);
        for (const sums of at(hour.key)) {
          sums.booked += minutes;
          if (booking.is_paid) sums.paid += minutes;
          if (net !== 0) sums.net.set(booking.currency, (sums.net.get(booking.currency) ?? 0) + net);
        }
      }
  }
  return {
    total: present(total),
    hours: week.flatMap((sums, index) =>
      sums.open > 0
        ? // The first of January 1970 was a Thursday.
          [{ weekday: toWeekday(Math.floor(index / 24) + 4), hour: index % 24, ...present(sums) }]
        : [],
    ),
  };
}
