import type { CalendarBooking } from '../../../db/queries/bookings/booking.js';
import type { ClosingBlackout } from '../../../db/queries/blackouts/blackout.js';
import { computeAvailability, type RoomCalendar } from '../../../domain/bookings/availability.js';
import { DAY_MINUTES, MINUTE_MS } from '../../../domain/durations.js';
import { closingRates } from '../../../domain/rates/rates.js';
import { closedTime } from '../../../domain/rates/windows.js';
import { lineFrom } from '../../../domain/rooms/grid.js';
import {
  earliestEnd,
  latestStart,
  lengthLimits,
  openWindows,
  startsAfter,
  type Range,
} from '../../../domain/bookings/slots.js';
import { rangeOfDay, type Axis } from './axis.js';

/** `free`, or the reason why part of a day cannot be booked. `rate`: a rate closes the room. */
export type PartKind =
  | 'free'
  | 'closed'
  | 'blackout'
  | 'rate'
  | 'past'
  | 'buffer'
  | 'taken'
  | 'short'
  | 'far';

export interface Part extends Range {
  kind: PartKind;
  blackouts: ClosingBlackout[];
  takenBy: string[];
}

/** A day of a room, in the room's zone. */
export interface Column {
  room: RoomCalendar['room'] & { id: string; name: string; edit_window_minutes: number };
  /** The wall-clock midnight, as if it were UTC. */
  midnight: number;
  day: Range;
  bookings: CalendarBooking[];
  /** The time between bookings, in order. */
  parts: Part[];
  /** The starts to choose from, with the end that a form suggests. */
  starts: Range[];
}

const toRange = ({ start_at, end_at }: { start_at: Date; end_at: Date }): Range => ({
  start: start_at.getTime(),
  end: end_at.getTime(),
});

const overlaps = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;

/**
 * A room's day with its bookings, and the state of the time between them, as staff see it. `now` is in UTC
 * milliseconds.
 */
export function buildDayColumn(
  calendar: RoomCalendar & { room: Column['room'] },
  midnight: number,
  bookings: CalendarBooking[],
  blackouts: ClosingBlackout[],
  now: number,
): Column {
  const { room } = calendar;
  const day = rangeOfDay({ midnight, time_zone: room.time_zone });
  const mine = bookings.filter((booking) => booking.room_id === room.id && overlaps(day, toRange(booking)));
  const closing = blackouts.filter(
    (blackout) => blackout.room_id === room.id && overlaps(day, toRange(blackout)),
  );
  const { free, busy } = computeAvailability(calendar, day, now, { by_staff: true });
  const open = openWindows(room, day);
  const closedByRate = closedTime(closingRates(room.rates, calendar.asker), day, room.time_zone);
  const buffer = room.turnaround_minutes * MINUTE_MS;
  const buffers = calendar.claims.map(({ start, end }) => ({ start: start - buffer, end }));
  const taken = calendar.part_claims.map((claim) => ({ ...claim, start: claim.start - buffer }));
  const earliest = startsAfter(room, now, { by_staff: true });
  const partKind = (range: Range): PartKind => {
    const isIn = (ranges: Range[]): boolean => ranges.some((each) => overlaps(range, each));
    if (isIn(free)) return 'free';
    if (!isIn(open)) return 'closed';
    if (isIn(closing.map(toRange))) return 'blackout';
    if (isIn(closedByRate)) return 'rate';
    if (isIn(buffers)) return 'buffer';
    if (isIn(taken)) return 'taken';
    if (range.end <= Math.max(earliest + 1, now)) return 'past';
    return range.start > latestStart(now) ? 'far' : 'short';
  };
  const edges = [
    ...open,
    ...closing.map(toRange),
    ...closedByRate,
    ...buffers,
    ...taken,
    ...free,
    ...busy,
    ...mine.map(toRange),
  ];
  const times = [
    day.start,
    day.end,
    now,
    latestStart(now),
    ...edges.flatMap(({ start, end }) => [start, end]),
  ];
  const inDay = [...new Set(times)].filter((time) => time >= day.start && time <= day.end);
  const cuts = inDay.toSorted((a, b) => a - b);
  const parts: Part[] = [];
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    const range = { start, end: cuts[index + 1]! };
    if (mine.some((booking) => overlaps(range, toRange(booking)))) continue;
    const kind = partKind(range);
    const here = kind === 'blackout' ? closing.filter((blackout) => overlaps(range, toRange(blackout))) : [];
    const by = kind === 'taken' ? taken.filter((claim) => overlaps(range, claim)) : [];
    const takenBy = [...new Set(by.map(({ room_name }) => room_name))];
    const before = parts.at(-1);
    if (
      before?.end === start &&
      before.kind === kind &&
      here.every((each) => before.blackouts.includes(each)) &&
      before.takenBy.join() === takenBy.join()
    )
      before.end = range.end;
    else parts.push({ ...range, kind, blackouts: here, takenBy });
  }
  return { room, midnight, day, bookings: mine, parts, starts: startsIn(parts, free, room) };
}

/** The suggested length: an hour, or less if less is free, within the room's limits. */
const USUAL_MINUTES = 60;
/** Starts on a finer grid are chosen in the form. */
const MIN_STEP = 15;

/** The starts on the grid of a room from which a booking fits, at least a quarter of an hour apart. */
function startsIn(parts: Part[], free: Range[], room: Column['room']): Range[] {
  const { max } = lengthLimits(room);
  const usual = Math.min(USUAL_MINUTES, max) * MINUTE_MS;
  const step = Math.max(MIN_STEP, room.slot_minutes) * MINUTE_MS;
  const starts: Range[] = [];
  for (const part of parts.filter(({ kind }) => kind === 'free')) {
    const until = free.find((window) => overlaps(window, part))!.end;
    for (let start = lineFrom(part.start, room); start < part.end; start = lineFrom(start + step, room)) {
      const shortest = earliestEnd(start, room);
      if (shortest > until) break;
      let end = shortest;
      for (let next = lineFrom(end + 1, room); next <= until && next - start <= usual;) {
        end = next;
        next = lineFrom(end + 1, room);
      }
      starts.push({ start, end });
    }
  }
  return starts;
}

/** The visible hours of days whose rooms have no opening hours. */
const USUAL_HOURS = [8 * 60, 20 * 60] as const;

/** The visible part of an axis: the opening hours of the rooms, and the time of each booking outside them. */
export function shownMinutes(
  axis: Axis,
  columns: Pick<Column, 'bookings' | 'room' | 'day'>[],
  all: boolean,
): { from: number; to: number } {
  if (all) return { from: 0, to: axis.minutes };
  const axisTop = (minute: number): number =>
    axis.hours.find((each) => each.minute === minute && !each.again)!.top;
  const [opens, closes] = USUAL_HOURS.map(axisTop) as [number, number];
  let [from, to] = [Infinity, -Infinity];
  const include = (first: number, last: number): void => {
    from = Math.min(from, Math.floor(first / 60) * 60);
    to = Math.max(to, Math.ceil(last / 60) * 60);
  };
  for (const [index, { bookings, room, day }] of columns.entries()) {
    if (!room.opening_hours) include(opens, closes);
    const open = room.opening_hours ? openWindows(room, day) : [];
    for (const shown of [...open, ...bookings.map(toRange)])
      for (const { start, end, top } of axis.stretches[index]!) {
        if (!overlaps({ start, end }, shown)) continue;
        const at = (instant: number): number => top + (instant - start) / MINUTE_MS;
        include(at(Math.max(shown.start, start)), at(Math.min(shown.end, end)));
      }
  }
  if (from >= to) include(opens, closes);
  return { from: Math.max(0, from), to: Math.min(axis.minutes, to) };
}

/** `10:00` of a minute of the day. */
export const formatDayMinute = (minute: number): string =>
  [Math.floor((minute % DAY_MINUTES) / 60), minute % 60].map((n) => String(n).padStart(2, '0')).join(':');
