/** The times that forms offer (docs/rules/rooms.md#forms). */
import { computeAvailability, type RoomCalendar } from './availability.js';
import { DAY_MINUTES, DAY_MS, HOUR_MINUTES, MINUTE_MS } from '../durations.js';
import { addLength, countedMinutes, lineFrom, onGrid } from '../rooms/grid.js';
import { lengthLimits, elapsedMinutes, type BookableRoom, type Range } from './slots.js';
import { toInstant, wallClock } from '../time-zone.js';

/** The longest length to choose from: what starts are looked for in is at most a month. */
const LONGEST = 31 * DAY_MINUTES;

/** The shortest and the longest length that forms offer, in minutes as limits count them. */
function lengthBounds(room: BookableRoom): { shortest: number; longest: number } {
  const { min, max } = lengthLimits(room);
  const shortest = Math.ceil(min / room.slot_minutes) * room.slot_minutes;
  return {
    shortest,
    longest: Math.min(max, room.max_minutes === null ? Math.max(DAY_MINUTES, shortest) : LONGEST),
  };
}

/**
 * The longest booking from `start` that forms offer, in elapsed minutes: also a day of the room's clock where
 * it has 25 hours (docs/rules/booking-page.md#limits). `start` in UTC milliseconds.
 */
export function longestOffer(room: BookableRoom, start: number): number {
  const { longest } = lengthBounds(room);
  const byClock = toInstant(wallClock(start, room.time_zone) + longest * MINUTE_MS, room.time_zone);
  return elapsedMinutes({ start, end: Math.max(byClock, addLength(start, longest, room)) });
}

/**
 * The lengths in minutes that a room allows, as its limits count them, with the booking's own if there is
 * one: up to a day if the room says nothing, each up to four hours, then whole hours, then days.
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
 * The length that forms suggest, and for which lists compare prices, in minutes: an hour, or the next
 * one that the room allows.
 */
export function usualLength(room: BookableRoom): number {
  const lengths = offeredLengths(room);
  return lengths.find((length) => length >= HOUR_MINUTES) ?? lengths.at(-1) ?? room.slot_minutes;
}

/**
 * Starts at or after `from` and before `until`, in UTC milliseconds, of bookings of a length as
 * forms count it, in minutes.
 */
export interface AskedStarts {
  from: number;
  until: number;
  minutes: number;
}

/** The time for which a calendar must be known. A day of a clock change is longer. */
export const rangeOfStarts = ({ from, until, minutes }: AskedStarts): Range => ({
  start: from,
  end: until + minutes * MINUTE_MS + DAY_MS,
});

/** The bookings of a length that would be accepted at `now`, by their start. */
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
