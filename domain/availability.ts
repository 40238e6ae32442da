import { isEven, lineFrom, lineUntil } from './grid.js';
import {
  latestStart,
  lengthsOf,
  mergeRanges,
  openWindows,
  type BookableRoom,
  type Range,
  type UnavailableReason,
} from './slots.js';

const MINUTE = 60_000;

/** What is known of a room's calendar; all times in UTC milliseconds. */
export interface RoomCalendar {
  room: BookableRoom & { turnaround_minutes: number };
  /** The time for which `claims` and `blackouts` are complete. Wider than what is asked for: see `availabilityOf`. */
  seen: Range;
  /** Places that bookings hold, the turnaround after each included; also those of moves in flight. */
  claims: Range[];
  blackouts: Range[];
}

export type BusyWindow = Range & { reason: UnavailableReason };

export interface Availability {
  free: Range[];
  busy: BusyWindow[];
}

/** What a create names first where several hold. */
const STRONGEST_FIRST = ['closed', 'blackout', 'booked'] as const satisfies UnavailableReason[];

/**
 * The widest windows of `asked` in which every booking on the room's grid, of a length it allows, would be accepted
 * at `now`, and what makes the rest busy (decisions.md, "Bookings": GET /v1/availability). Free windows begin and end
 * on the grid, also where `asked` doesn't. Time that is too short for any booking is as busy as what makes it so.
 *
 * Whether time at the border of `asked` is long enough shows beyond it, so `seen` reaches further, by a booking of
 * `min_minutes` and the lines around it at least.
 */
export function availabilityOf(
  { room, seen, claims, blackouts }: RoomCalendar,
  asked: Range,
  now: number,
): Availability {
  const standing = strongest(seen, {
    closed: mergeRanges([...between(openWindows(room, seen), seen), { start: -Infinity, end: now + 1 }]),
    blackout: mergeRanges(blackouts),
    // A booking is followed by its turnaround: it can't end within one of the next.
    booked: mergeRanges(
      claims.map(({ start, end }) => ({ start: start - room.turnaround_minutes * MINUTE, end })),
    ),
  });
  const free: Range[] = [];
  const busy: BusyWindow[] = [];
  const lines = { start: lineFrom(asked.start, room), end: lineUntil(asked.end, room) };
  let before = closedAt(seen.start);
  for (const after of [...standing, closedAt(seen.end)]) {
    const window = before.end < after.start ? windowIn(before.end, after.start, room, now) : null;
    // Beside a window there is too little time for a booking; where there is none, in all of the gap.
    if (window) {
      addBusy(busy, asked, before.end, window.start, before.reason);
      addFree(free, lines, window.start, window.end);
      addBusy(busy, asked, window.end, after.start, window.tooLateAfter ? 'closed' : after.reason);
    } else addBusy(busy, asked, before.end, after.start, weaker(before.reason, after.reason));
    addBusy(busy, asked, after.start, after.end, after.reason);
    before = after;
  }
  return { free, busy };
}

/** Stands for what lies beyond the time that is seen. */
const closedAt = (instant: number): BusyWindow => ({ start: instant, end: instant, reason: 'closed' });

/** What lies between windows, before the first and after the last. */
function between(windows: Range[], { start, end }: Range): Range[] {
  const starts = [start, ...windows.map((window) => window.end)];
  const ends = [...windows.map((window) => window.start), end];
  return starts.map((start, index) => ({ start, end: ends[index]! })).filter(({ start, end }) => start < end);
}

/** What stands in a time, each stretch of it for the strongest reason that holds there. */
function strongest(seen: Range, taken: Record<UnavailableReason, Range[]>): BusyWindow[] {
  const standing: BusyWindow[] = [];
  const lists = STRONGEST_FIRST.map((reason) => ({ reason, ranges: taken[reason], next: 0 }));
  for (let start = seen.start; start < seen.end;) {
    let end = seen.end;
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
    if (reason) standing.push({ start, end, reason });
    start = end;
  }
  return standing;
}

/** Of a time in which nothing stands: the window to offer, or null where no booking fits in. */
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
  // Where one could begin too late, the window ends just before that one would.
  const tooLate = end > latest ? shortestBooking(latest + 1, end, room) : null;
  const until = lineUntil(tooLate ? tooLate.end - 1 : end, room);
  if (first.end > until) return null;
  return { start: lineFrom(start, room), end: until, tooLateAfter: tooLate !== null };
}

/** The booking of an allowed length that would end first in a time; null where none fits in. */
function shortestBooking(from: number, until: number, room: BookableRoom): Range | null {
  const { least, most } = lengthsOf(room);
  for (let start = lineFrom(from, room); ; start = lineFrom(start + 1, room)) {
    const end = lineFrom(start + least * MINUTE, room);
    if (end > until) return null;
    if (end - start <= most * MINUTE) return { start, end };
    // From any later line it would be just as long.
    if (isEven(start, until, room)) return null;
  }
}

/** Time that nothing makes busy but its shortness is as busy as the weaker of what is beside it. */
function weaker(before: UnavailableReason, after: UnavailableReason): UnavailableReason {
  return STRONGEST_FIRST.indexOf(before) > STRONGEST_FIRST.indexOf(after) ? before : after;
}

/** Adds what of a window lies within the lines that are asked for. */
function addFree(free: Range[], lines: Range, from: number, until: number): void {
  const start = Math.max(from, lines.start);
  const end = Math.min(until, lines.end);
  if (start < end) free.push({ start, end });
}

/** Adds what of a time lies within what is asked for, as part of the last window where they meet for the same reason. */
function addBusy(
  busy: BusyWindow[],
  asked: Range,
  from: number,
  until: number,
  reason: UnavailableReason,
): void {
  const start = Math.max(from, asked.start);
  const end = Math.min(until, asked.end);
  if (start >= end) return;
  const last = busy.at(-1);
  if (last && last.end === start && last.reason === reason) last.end = end;
  else busy.push({ start, end, reason });
}
