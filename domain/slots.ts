import { ApiError } from './errors.js';
import { onGrid } from './grid.js';
import type { Tier } from './price.js';
import { DAY, instantOf, wallClock } from './time-zone.js';

const MINUTE = 60_000;
export const MAX_DAYS_AHEAD = 730;
/** A year: no booking is longer, whatever its room says. */
export const MAX_MINUTES = 525_600;

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
/** `{mon: [["08:00", "20:00"]]}`, wall clock in the room's zone. */
export type OpeningHours = Partial<Record<Weekday, [string, string][]>>;

/** What of a room decides whether a time can be booked in it. */
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

/** Real elapsed minutes, so that a day with a clock change counts 23 or 25 hours. */
export function minutesOf({ start, end }: Range): number {
  return (end - start) / MINUTE;
}

/** Of `HH:MM`. */
const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The same time in windows that neither overlap nor meet, in their order. */
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
 * The windows in which a room is open that touch `range`, merged where they meet. An end that is not after
 * its start is on the next day; no `opening_hours` at all means always open, and an archived room never is.
 */
export function openWindows(room: BookableRoom, range: Range): Range[] {
  const { opening_hours: hours, time_zone: zone } = room;
  if (room.archived) return [];
  if (hours === null) return [range];
  const firstDay = Math.floor(wallClock(range.start, zone) / DAY) - 1;
  const lastDay = Math.floor(wallClock(range.end, zone) / DAY);
  const windows: Range[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const weekday = WEEKDAYS[(((day + 4) % 7) + 7) % 7]!; // day 0, 1970-01-01, was a Thursday
    for (const [opens, closes] of hours[weekday] ?? []) {
      const from = minuteOfDay(opens);
      const to = minuteOfDay(closes);
      const start = instantOf(day * DAY + from * MINUTE, zone);
      const end = instantOf(day * DAY + (to > from ? to : to + 1440) * MINUTE, zone);
      if (end > start) windows.push({ start, end });
    }
  }
  return mergeRanges(windows).filter((window) => window.end > range.start && window.start < range.end);
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('validation_failed', message, { param });
}

/** Why a slot can't be had; `error.details.reason` of a 409 `slot_unavailable`. */
export type UnavailableReason = 'booked' | 'blackout' | 'closed';

const UNAVAILABLE: Record<UnavailableReason, string> = {
  booked: 'The room is already booked for part of this time.',
  blackout: 'The room has a blackout during part of this time.',
  closed: 'The room is closed for part of this time.',
};

/** The 409 `slot_unavailable`, with its reason. */
export function slotUnavailable(reason: UnavailableReason): ApiError {
  return new ApiError('slot_unavailable', UNAVAILABLE[reason], { details: { reason } });
}

/** The last instant at which a booking that is made now may start. */
export const latestStart = (now: number): number => now + MAX_DAYS_AHEAD * DAY;

/** The minutes that a booking of the room lasts at least and at most. */
export function lengthsOf(room: BookableRoom): { least: number; most: number } {
  return { least: room.min_minutes ?? 1, most: Math.min(room.max_minutes ?? MAX_MINUTES, MAX_MINUTES) };
}

/** Refuses a time that lies in the past, too far ahead or is too long: 422 `validation_failed` on `start_at` or `end_at`. */
export function assertBookableTime(range: Range, now: number): void {
  if (range.end <= range.start) throw invalid('end_at', 'end_at must be after start_at.');
  if (range.start <= now) throw invalid('start_at', 'start_at must be in the future.');
  if (range.start > latestStart(now)) {
    throw invalid('start_at', `start_at must be at most ${MAX_DAYS_AHEAD} days ahead.`);
  }
  if (minutesOf(range) > MAX_MINUTES) {
    throw invalid('end_at', `A booking can last at most ${MAX_MINUTES} minutes.`);
  }
}

/** Refuses a booking that breaks the room's rules on grid (`slot_misaligned`), length and capacity. */
export function assertFitsRoom(room: BookableRoom, range: Range, attendees: number): void {
  for (const [param, instant] of [
    ['start_at', range.start],
    ['end_at', range.end],
  ] as const) {
    if (!onGrid(instant, room)) {
      const message = `${param} must be on the room's grid of ${room.slot_minutes} minutes in ${room.time_zone}.`;
      throw new ApiError('slot_misaligned', message, { param });
    }
  }
  const minutes = minutesOf(range);
  const { least, most } = lengthsOf(room);
  if (minutes < least) throw invalid('end_at', `A booking of this room must last at least ${least} minutes.`);
  if (minutes > most) throw invalid('end_at', `A booking of this room can last at most ${most} minutes.`);
  if (room.capacity !== null && attendees > room.capacity) {
    throw invalid('attendees', `The room holds at most ${room.capacity} people.`);
  }
}

/** Refuses an archived room and a time outside the opening hours: 409 `slot_unavailable`, `closed`. */
export function assertOpen(room: BookableRoom, range: Range): void {
  const open = openWindows(room, range).some((w) => w.start <= range.start && w.end >= range.end);
  if (!open) throw slotUnavailable('closed');
}

/** Refuses a booker whose tier the room isn't for: 403 `tier_not_allowed`. A guest has no tier. */
export function assertTierAllowed(room: BookableRoom, tier: Tier | null): void {
  if (room.tiers !== null && (tier === null || !room.tiers.includes(tier))) {
    throw new ApiError('tier_not_allowed', "The booker's tier cannot book this room.");
  }
}
