import { MINUTE_MS } from '../durations.js';
import { hasDays, isEven, countedMinutes, lineFrom, lineUntil } from '../rooms/grid.js';
import { closedTime } from '../rates/windows.js';
import { closingRates, type Asker, type RoomRate } from '../rates/rates.js';
import {
  earliestEnd,
  latestStart,
  lengthLimits,
  mergeRanges,
  openWindows,
  startsAfter,
  type BookableRoom,
  type Range,
  type UnavailableReason,
} from './slots.js';

/** A room with its claims and blackouts. All times in UTC milliseconds. */
export interface RoomCalendar {
  room: BookableRoom & { turnaround_minutes: number; rates: RoomRate[] };
  asker: Asker;
  /**
   * The range for which `claims` and `blackouts` are complete. It is wider than the requested range (see
   * `computeAvailability`).
   */
  loaded: Range;
  /** Claims of bookings with their turnaround, including moves in progress. */
  claims: Range[];
  /** Claims of other rooms that share a part with this room, with the other room's name. */
  part_claims: (Range & { room_name: string })[];
  /** The room's own blackouts, and those of rooms that share a part with it. */
  blackouts: Range[];
}

export type BusyWindow = Range & { reason: UnavailableReason };

export interface Availability {
  free: Range[];
  busy: BusyWindow[];
}

/** If several reasons apply, creating a booking is refused with the first of these. */
const STRONGEST_FIRST = [
  'closed',
  'blackout',
  'booked',
  'part_booked',
] as const satisfies UnavailableReason[];

/**
 * Returns the free windows within `requested` and the busy time between them with its reason
 * (docs/rules/rooms.md#availability). A free window is as wide as possible: every booking in it that is on
 * the grid and has an allowed length would be accepted at `now`. Free windows begin and end on the grid, even
 * if `requested` does not. A gap that is too short for any booking is busy.
 *
 * Whether a gap at the edge of `requested` is long enough depends on what lies beyond it. So `loaded` must
 * extend further on both sides, at least by a booking of `min_minutes` and a slot. Staff can also book the
 * slot that is running.
 */
export function computeAvailability(
  { room, asker, loaded, claims, part_claims, blackouts }: RoomCalendar,
  requested: Range,
  now: number,
  by: { by_staff: boolean } = { by_staff: false },
): Availability {
  // A booking must end one turnaround before the next one begins.
  const taken = (ranges: Range[]): Range[] =>
    mergeRanges(
      ranges.map(({ start, end }) => ({ start: start - room.turnaround_minutes * MINUTE_MS, end })),
    );
  const busyWindows = strongest(loaded, {
    closed: mergeRanges([
      ...between(openWindows(room, loaded), loaded),
      ...closedTime(closingRates(room.rates, asker), loaded, room.time_zone),
      { start: -Infinity, end: startsAfter(room, now, by) + 1 },
    ]),
    blackout: mergeRanges(blackouts),
    booked: taken(claims),
    part_booked: taken(part_claims),
  });
  const free: Range[] = [];
  const busy: BusyWindow[] = [];
  const lines = { start: lineFrom(requested.start, room), end: lineUntil(requested.end, room) };
  let before = closedAt(loaded.start);
  for (const after of [...busyWindows, closedAt(loaded.end)]) {
    const window = before.end < after.start ? windowIn(before.end, after.start, room, now) : null;
    // The time on either side of the window is too short for a booking. Without a window, that is the whole
    // gap.
    if (window) {
      addBusy(busy, requested, before.end, window.start, before.reason);
      addFree(free, lines, window.start, window.end);
      addBusy(busy, requested, window.end, after.start, window.tooLateAfter ? 'closed' : after.reason);
    } else addBusy(busy, requested, before.end, after.start, weaker(before.reason, after.reason));
    addBusy(busy, requested, after.start, after.end, after.reason);
    before = after;
  }
  return { free, busy };
}

/** Represents the time beyond the loaded range. */
const closedAt = (instant: number): BusyWindow => ({ start: instant, end: instant, reason: 'closed' });

/** Returns the gaps before, between and after windows. */
export function between(windows: Range[], { start, end }: Range): Range[] {
  const starts = [start, ...windows.map((window) => window.end)];
  const ends = [...windows.map((window) => window.start), end];
  return starts.map((start, index) => ({ start, end: ends[index]! })).filter(({ start, end }) => start < end);
}

/** Returns the busy windows of a range, each with the strongest reason that applies. */
function strongest(loaded: Range, taken: Record<UnavailableReason, Range[]>): BusyWindow[] {
  const busyWindows: BusyWindow[] = [];
  const lists = STRONGEST_FIRST.map((reason) => ({ reason, ranges: taken[reason], next: 0 }));
  for (let start = loaded.start; start < loaded.end;) {
    let end = loaded.end;
    let reason: UnavailableReason | null = null;
    for (const list of lists) {
      const { ranges } = list;
      while (list.next < ranges.length && ranges[list.next]!.end <= start) list.next++;
      const range = ranges[list.next];
      if (!range) continue;
      if (range.start > start) end = Math.min(end, range.start);
      else {
        end = Math.min(end, range.end);
        reason = list.reason;
        break;
      }
    }
    if (reason) busyWindows.push({ start, end, reason });
    start = end;
  }
  return busyWindows;
}

/** Returns the free window within a gap, or null if no booking fits in. */
function windowIn(
  start: number,
  end: number,
  room: BookableRoom,
  now: number,
): (Range & { tooLateAfter: boolean }) | null {
  const latest = latestStart(now);
  const first = shortestBooking(start, end, room);
  if (!first) return null;
  if (first.start > latest) return { start, end: start, tooLateAfter: true };
  // If the shortest booking could start too far ahead, the window ends just before the end of that booking.
  const tooLate = end > latest ? shortestBooking(latest + 1, end, room) : null;
  const until = lineUntil(tooLate ? tooLate.end - 1 : end, room);
  if (first.end > until) return null;
  return { start: lineFrom(start, room), end: until, tooLateAfter: tooLate !== null };
}

/** Returns the booking of an allowed length that would end first in a gap; null if none fits in. */
function shortestBooking(from: number, until: number, room: BookableRoom): Range | null {
  const { max } = lengthLimits(room);
  for (let start = lineFrom(from, room); ; start = lineFrom(start + 1, room)) {
    const end = earliestEnd(start, room);
    if (end > until) return null;
    if (countedMinutes({ start, end }, room) <= max) return { start, end };
    // It would be just as long from any later grid line.
    if (hasDays(room) || isEven(start, until, room)) return null;
  }
}

/** Returns the weaker reason of the two neighbours, which a gap gets that is too short. */
function weaker(before: UnavailableReason, after: UnavailableReason): UnavailableReason {
  return STRONGEST_FIRST.indexOf(before) > STRONGEST_FIRST.indexOf(after) ? before : after;
}

/** Adds the part of a window that lies within the requested lines. */
function addFree(free: Range[], lines: Range, from: number, until: number): void {
  const start = Math.max(from, lines.start);
  const end = Math.min(until, lines.end);
  if (start < end) free.push({ start, end });
}

/**
 * Adds the part of a range that lies within the requested one. If the last window has the same reason and
 * ends where this one starts, it is extended.
 */
function addBusy(
  busy: BusyWindow[],
  requested: Range,
  from: number,
  until: number,
  reason: UnavailableReason,
): void {
  const start = Math.max(from, requested.start);
  const end = Math.min(until, requested.end);
  if (start >= end) return;
  const last = busy.at(-1);
  if (last && last.end === start && last.reason === reason) last.end = end;
  else busy.push({ start, end, reason });
}
