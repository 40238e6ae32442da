import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../durations.js';
import { ApiError, invalidField } from '../errors.js';
import { addLength, hasDays, countedMinutes, lineFrom, lineUntil, onGrid } from '../rooms/grid.js';
import type { Tier } from '../rates/price.js';
import { toInstant, isKnownZone, wallClock } from '../time-zone.js';

const MAX_DAYS_AHEAD = 730;
/** A year: the maximum length of a booking in any room, as limits count it. */
export const MAX_MINUTES = 525_600;
/** The maximum elapsed time of a booking. A year can contain clock changes that add up to at most a day. */
export const MAX_ELAPSED_MINUTES = MAX_MINUTES + DAY_MINUTES;

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
/** `{mon: [["08:00", "20:00"]]}`, in the room's wall-clock time. */
export type OpeningHours = Partial<Record<Weekday, [string, string][]>>;

/** The fields of a room that decide whether a time can be booked. */
export interface BookableRoom {
  time_zone: string;
  slot_minutes: number;
  min_minutes: number | null;
  max_minutes: number | null;
  capacity: number | null;
  opening_hours: OpeningHours | null;
  tiers: Tier[] | null;
  archived: boolean;
}

/** A half-open range of instants `[start, end)` in UTC milliseconds. */
export interface Range {
  start: number;
  end: number;
}

/** Returns the elapsed minutes of a range. A day with a clock change has 23 or 25 hours. */
export function elapsedMinutes({ start, end }: Range): number {
  return (end - start) / MINUTE_MS;
}

/** Returns the minute of the day of an `HH:MM`. */
export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the weekday of a day, counted from 1970-01-01, which was a Thursday. */
export const toWeekday = (day: number): Weekday => WEEKDAYS[(((day + 4) % 7) + 7) % 7]!;

/** Returns the union of ranges, sorted. Overlapping and adjacent ranges are merged. */
export function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (!last || range.start > last.end) merged.push(range);
    else if (range.end > last.end) merged[merged.length - 1] = { start: last.start, end: range.end };
  }
  return merged;
}

/**
 * Returns the windows in which a room is open and that overlap `range`, with adjacent ones merged
 * (docs/rules/rooms.md#opening-hours). An end that is not after its start is on the next day. A room that is
 * archived or whose time zone is unknown is never open.
 */
export function openWindows(room: BookableRoom, range: Range): Range[] {
  const { opening_hours: hours, time_zone: zone } = room;
  if (room.archived || !isKnownZone(zone)) return [];
  if (hours === null) return [range];
  const firstDay = Math.floor(wallClock(range.start, zone) / DAY_MS) - 1;
  const lastDay = Math.floor(wallClock(range.end, zone) / DAY_MS);
  const windows: Range[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    for (const [opens, closes] of hours[toWeekday(day)] ?? []) {
      const from = minuteOfDay(opens);
      const to = minuteOfDay(closes);
      const start = toInstant(day * DAY_MS + from * MINUTE_MS, zone);
      const end = toInstant(day * DAY_MS + (to > from ? to : to + DAY_MINUTES) * MINUTE_MS, zone);
      if (end > start) windows.push({ start, end });
    }
  }
  return mergeRanges(windows).filter((window) => window.end > range.start && window.start < range.end);
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('validation_failed', message, { param });
}

/** Why a slot is not available: `error.details.reason` of a 409 `slot_unavailable`. */
export const UNAVAILABLE_REASONS = ['booked', 'part_booked', 'blackout', 'closed'] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

const UNAVAILABLE: Record<UnavailableReason, string> = {
  booked: 'The room is already booked for part of this time.',
  part_booked:
    'A part of the room, or a larger room that includes it, is already booked for part of this time.',
  blackout: 'The room has a blackout during part of this time.',
  closed: 'The room is closed for part of this time.',
};

/** Returns the 409 for a slot that is not available. */
export function slotUnavailable(reason: UnavailableReason): ApiError {
  return new ApiError('slot_unavailable', UNAVAILABLE[reason], { details: { reason } });
}

/**
 * Returns the instant after which a booking may start at `now`. Staff may also book the slot of the grid that
 * is running.
 */
export const startsAfter = (room: BookableRoom, now: number, { by_staff }: { by_staff: boolean }): number =>
  by_staff ? Math.max(now - room.slot_minutes * MINUTE_MS, lineUntil(now, room) - 1) : now;

/** Returns the latest possible start of a booking that is created at `now`. */
export const latestStart = (now: number): number => now + MAX_DAYS_AHEAD * DAY_MS;

/** Returns the minimum and maximum length of a booking of the room, in minutes. */
export function lengthLimits(room: BookableRoom): { min: number; max: number } {
  return { min: room.min_minutes ?? 1, max: Math.min(room.max_minutes ?? MAX_MINUTES, MAX_MINUTES) };
}

/**
 * How many minutes of a room's future one public guest's client can hold unpaid. A single booking may be
 * longer.
 */
export const MAX_HELD_MINUTES = DAY_MINUTES;

/** Returns the earliest end of a booking that starts on a grid line and has the minimum length. */
export function earliestEnd(start: number, room: BookableRoom): number {
  const { min } = lengthLimits(room);
  if (!hasDays(room)) return lineFrom(start + min * MINUTE_MS, room);
  return addLength(start, Math.ceil(min / DAY_MINUTES) * DAY_MINUTES, room);
}

/**
 * Errors: 422 `validation_failed` for a time that is in the past or too far ahead. `after`: an earlier time
 * than `now`, for callers who may book time that is running.
 */
export function assertBookableTime(range: Range, now: number, after = now): void {
  if (range.end <= range.start) throw invalidField('end_at', 'must be after {start_at}');
  if (range.start <= after) throw invalidField('start_at', 'must be in the future');
  if (range.end <= now) throw invalidField('end_at', 'must be in the future');
  if (range.start > latestStart(now)) {
    throw invalidField('start_at', `must be at most ${MAX_DAYS_AHEAD} days from now`);
  }
}

/** Writes a length: `2 hours`, or `90 minutes` if it is not whole hours. */
function formatLength(minutes: number): string {
  if (minutes % 60 > 0) return `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}

/** Writes a length as `3 days` if slots are days, otherwise as `formatLength`. */
function describeLimit(minutes: number, room: BookableRoom): string {
  if (!hasDays(room) || minutes % DAY_MINUTES > 0) return formatLength(minutes);
  return minutes === DAY_MINUTES ? '1 day' : `${minutes / DAY_MINUTES} days`;
}

/** Describes the lines of a grid: `at :00 or :30`, or `at a multiple of 40 minutes after midnight`. */
export function describeGrid(slotMinutes: number): string {
  if (slotMinutes === DAY_MINUTES) return 'at midnight';
  if (slotMinutes === 60) return 'on the hour';
  if (60 % slotMinutes > 0 || slotMinutes < 15)
    return `at a multiple of ${formatLength(slotMinutes)} after midnight`;
  const lines = Array.from({ length: 60 / slotMinutes }, (_, index) => index * slotMinutes);
  const last = lines.pop();
  return `at ${lines.map((line) => `:${String(line).padStart(2, '0')}`).join(', ')} or :${last}`;
}

/**
 * Errors: 422 `slot_misaligned` off the grid, `validation_failed` if the length or the number of attendees
 * does not fit the room.
 */
export function assertFitsRoom(room: BookableRoom, range: Range, attendees: number): void {
  for (const [param, instant] of [
    ['start_at', range.start],
    ['end_at', range.end],
  ] as const) {
    if (!onGrid(instant, room)) {
      const says = `must be ${describeGrid(room.slot_minutes)} (${room.time_zone} time)`;
      throw new ApiError('slot_misaligned', `${param} ${says}.`, { param, rule: { type: 'custom', says } });
    }
  }
  const minutes = countedMinutes(range, room);
  const { min, max } = lengthLimits(room);
  if (minutes < min)
    throw invalid('end_at', `A booking of this room must last at least ${describeLimit(min, room)}.`);
  if (minutes > max)
    throw invalid('end_at', `A booking of this room can last at most ${describeLimit(max, room)}.`);
  if (room.capacity !== null && attendees > room.capacity) {
    throw invalidField('attendees', `must be at most ${room.capacity}, the capacity of the room`);
  }
}

/** Errors: 409 `slot_unavailable` (`closed`) for an archived room or outside opening hours. */
export function assertOpen(room: BookableRoom, range: Range): void {
  if (!isOpen(room, range)) throw slotUnavailable('closed');
}

/** True if the room is not archived and is open during the whole range. */
export const isOpen = (room: BookableRoom, range: Range): boolean =>
  openWindows(room, range).some((window) => window.start <= range.start && window.end >= range.end);

/** Whether a booker's tier may book a room. Guests have no tier. */
export const allowsTier = ({ tiers }: Pick<BookableRoom, 'tiers'>, tier: Tier | null): boolean =>
  tiers === null || (tier !== null && tiers.includes(tier));

/** Errors: 403 `tier_not_allowed`. */
export function assertTierAllowed(room: BookableRoom, tier: Tier | null): void {
  if (!allowsTier(room, tier)) {
    throw new ApiError(
      'tier_not_allowed',
      `Only members with one of these tiers can book this room: ${room.tiers!.join(', ')}.`,
    );
  }
}
