/** The times that forms offer (docs/rules/rooms.md#forms). */
import { computeAvailability, type RoomCalendar } from './availability.js';
import { DAY_MINUTES, DAY_MS, HOUR_MINUTES, MINUTE_MS } from '../durations.js';
import { addLength, countedMinutes, lineFrom, onGrid } from '../rooms/grid.js';
import { lengthLimits, elapsedMinutes, type BookableRoom, type Range } from './slots.js';
import { toInstant, wallClock } from '../time-zone.js';

/** The longest length that can be chosen: starts are searched in at most a month. */
const LONGEST = 31 * DAY_MINUTES;

/** Returns the shortest and longest length that forms offer, in minutes as limits count them. */
function lengthBounds(room: BookableRoom): { shortest: number; longest: number } {
  const { min, max } = lengthLimits(room);
  const shortest = Math.ceil(min / room.slot_minutes) * room.slot_minutes;
  return {
    shortest,
    longest: Math.min(max, room.max_minutes === null ? Math.max(DAY_MINUTES, shortest) : LONGEST),
  };
}

/**
 * Returns the length of the longest booking from `start` that forms offer, in elapsed minutes. A day of the
 * room's clock can have 25 hours (docs/rules/booking-page.md#limits). `start` in UTC milliseconds.
 */
export function longestOffer(room: BookableRoom, start: number): number {
  const { longest } = lengthBounds(room);
  const byClock = toInstant(wallClock(start, room.time_zone) + longest * MINUTE_MS, room.time_zone);
  return elapsedMinutes({ start, end: Math.max(byClock, addLength(start, longest, room)) });
}

/**
 * Returns the lengths in minutes that a room allows, as its limits count them, including the booking's
 * current length: each slot up to four hours, then whole hours, then days. Without a maximum length of the
 * room they end at a day.
 */
export function offeredLengths(room: BookableRoom, current?: number): number[] {
  const step = room.slot_minutes;
  const { shortest, longest } = lengthBounds(room);
  const lengths = new Set(current === undefined ? [] : [current]);
  const isListed = (length: number): boolean =>
    length === shortest ||
    length <= 4 * HOUR_MINUTES ||
    length % (length <= DAY_MINUTES ? HOUR_MINUTES : DAY_MINUTES) === 0;
  for (let length = shortest; length <= longest; length += step) if (isListed(length)) lengths.add(length);
  return [...lengths].sort((a, b) => a - b);
}

/**
 * Returns the length that forms suggest and for which lists compare prices, in minutes: an hour, or the next
 * length that the room allows.
 */
export function usualLength(room: BookableRoom): number {
  const lengths = offeredLengths(room);
  return lengths.find((length) => length >= HOUR_MINUTES) ?? lengths.at(-1) ?? room.slot_minutes;
}

/**
 * Starts at or after `from` and before `until`, in UTC milliseconds, of bookings of a length in minutes, as
 * forms count it.
 */
export interface AskedStarts {
  from: number;
  until: number;
  minutes: number;
}

/** Returns the range for which a calendar must be known. A day on which clocks change can be longer. */
export const rangeOfStarts = ({ from, until, minutes }: AskedStarts): Range => ({
  start: from,
  end: until + minutes * MINUTE_MS + DAY_MS,
});

/** Returns the bookings of a length that would be accepted at `now`, by start. */
export function* bookingsFrom(
  calendar: RoomCalendar,
  asked: AskedStarts,
  now: number,
  by: { by_staff: boolean },
): Generator<Range> {
  const { room } = calendar;
  const { min, max } = lengthLimits(room);
  for (const window of computeAvailability(calendar, rangeOfStarts(asked), now, by).free)
    for (
      let start = lineFrom(window.start, room);
      start < asked.until && start < window.end;
      start = lineFrom(start + 1, room)
    ) {
      const end = addLength(start, asked.minutes, room);
      const length = countedMinutes({ start, end }, room);
      if (end <= window.end && onGrid(end, room) && length >= min && length <= max) yield { start, end };
    }
}
