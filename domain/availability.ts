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

/** A stretch of time: free, busy for a reason, or neither can be said yet. */
type Stretch = Range & { as: UnavailableReason | 'free' | null };

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
  const taken: Record<UnavailableReason, Range[]> = {
    closed: mergeRanges([...between(openWindows(room, seen), seen), { start: -Infinity, end: now + 1 }]),
    blackout: mergeRanges(blackouts),
    // A booking is followed by its turnaround: it can't end within one of the next.
    booked: mergeRanges(
      claims.map(({ start, end }) => ({ start: start - room.turnaround_minutes * MINUTE, end })),
    ),
  };
  const stretches = cut(seen, taken).flatMap((stretch) => (stretch.as ? stretch : offer(room, stretch, now)));
  const lines = { start: lineFrom(asked.start, room), end: lineUntil(asked.end, room) };
  const availability: Availability = { free: [], busy: [] };
  for (let index = 0; index < stretches.length; index++) {
    const stretch = stretches[index]!;
    const as = stretch.as ?? reasonBetween(stretches[index - 1], stretches[index + 1]);
    const within = as === 'free' ? lines : asked;
    const start = Math.max(stretch.start, within.start);
    const end = Math.min(stretch.end, within.end);
    if (start >= end) continue;
    if (as === 'free') availability.free.push({ start, end });
    else addBusy(availability.busy, { start, end, reason: as });
  }
  return availability;
}

/** What lies between windows, before the first and after the last. */
function between(windows: Range[], { start, end }: Range): Range[] {
  const starts = [start, ...windows.map((window) => window.end)];
  const ends = [...windows.map((window) => window.start), end];
  return starts.map((start, index) => ({ start, end: ends[index]! })).filter(({ start, end }) => start < end);
}

/** Cuts a time into stretches, each with the strongest reason that holds for all of it, or none. */
function cut(seen: Range, taken: Record<UnavailableReason, Range[]>): Stretch[] {
  const stretches: Stretch[] = [];
  const lists = STRONGEST_FIRST.map((reason) => ({ reason, ranges: taken[reason], next: 0 }));
  for (let start = seen.start; start < seen.end;) {
    let end = seen.end;
    let as: UnavailableReason | null = null;
    for (const list of lists) {
      const { ranges } = list;
      while (list.next < ranges.length && ranges[list.next]!.end <= start) list.next++;
      const range = ranges[list.next];
      if (!range) continue;
      if (range.start > start) end = Math.min(end, range.start);
      else {
        end = Math.min(end, range.end);
        as = list.reason;
        break;
      }
    }
    stretches.push({ start, end, as });
    start = end;
  }
  return stretches;
}

/** Of a stretch in which nothing stands: the window to offer, and what is left on both sides of it. */
function offer(room: BookableRoom, stretch: Stretch, now: number): Stretch[] {
  const latest = latestStart(now);
  const first = shortestBooking(room, stretch);
  // Where one could begin too late, the window ends just before that one would.
  const lateOnes = { start: Math.max(stretch.start, latest + 1), end: stretch.end };
  const tooLate = lateOnes.start < lateOnes.end ? shortestBooking(room, lateOnes) : null;
  const end = tooLate ? lineUntil(tooLate.end - 1, room) : lineUntil(stretch.end, room);
  if (!first || first.start > latest || first.end > end) {
    return [{ ...stretch, as: first && first.start > latest ? 'closed' : null }];
  }
  const start = lineFrom(stretch.start, room);
  const parts: Stretch[] = [
    { start: stretch.start, end: start, as: null },
    { start, end, as: 'free' },
    { start: end, end: stretch.end, as: tooLate ? 'closed' : null },
  ];
  return parts.filter((part) => part.start < part.end);
}

/** The booking of an allowed length that would end first in a stretch; null where none fits in. */
function shortestBooking(room: BookableRoom, stretch: Range): Range | null {
  const { least, most } = lengthsOf(room);
  for (let start = lineFrom(stretch.start, room); ; start = lineFrom(start + 1, room)) {
    const end = lineFrom(start + least * MINUTE, room);
    if (end > stretch.end) return null;
    if (end - start <= most * MINUTE) return { start, end };
    // From any later line it would be just as long.
    if (isEven(start, stretch.end, room)) return null;
  }
}

/** Time that nothing makes busy but its shortness is as busy as the weaker of what is beside it. */
function reasonBetween(before: Stretch | undefined, after: Stretch | undefined): UnavailableReason {
  const weakest = STRONGEST_FIRST.findLast((reason) => before?.as === reason || after?.as === reason);
  return weakest ?? 'closed';
}

/** Adds a busy window, as part of the last one where they meet and the reason is the same. */
function addBusy(busy: BusyWindow[], window: BusyWindow): void {
  const last = busy.at(-1);
  if (last && last.end === window.start && last.reason === window.reason) last.end = window.end;
  else busy.push(window);
}
