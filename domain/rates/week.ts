import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../durations.js';
import { between } from '../bookings/availability.js';
import { splitByRate } from './windows.js';
import type { RoomRate } from './rates.js';
import { openWindows, type BookableRoom, type Range } from '../bookings/slots.js';

export const DAYS_OF_WEEK = 7;

/** A part of a day on a room's clock, in minutes after midnight, with the rate that applies. */
export interface WeekStretch {
  from: number;
  to: number;
  /** Null for the hourly price. */
  rate: RoomRate | null;
  /** True outside opening hours. */
  isShut: boolean;
}

/**
 * A row of the table of a week: from one change on any day to the next, with a stretch for each day; null if
 * the stretch continues from the row above.
 */
export interface WeekRow {
  from: number;
  to: number;
  days: ({ stretch: WeekStretch; rows: number } | null)[];
}

/** True if a rate applies to bookings by anyone, of any length and with any notice. */
export const isForAll = ({ audience, min_minutes, notice }: RoomRate): boolean =>
  audience.kind === 'everyone' && min_minutes === null && notice === null;

/**
 * Returns which rate applies when in seven days, for a booking by anyone, of any length and with any notice.
 * Clock changes are ignored. `first`: the first day, counted from 1970-01-01.
 */
export function rateWeek(room: BookableRoom & { rates: RoomRate[] }, first: number): WeekStretch[][] {
  const rates = room.rates.filter(isForAll);
  // Treat the days of the room's clock as UTC days, which have no clock changes.
  const clock = { ...room, archived: false, time_zone: 'UTC' };
  return Array.from({ length: DAYS_OF_WEEK }, (_, n) => {
    const day: Range = { start: (first + n) * DAY_MS, end: (first + n + 1) * DAY_MS };
    const open = openWindows(clock, day).map(({ start, end }) => ({
      start: Math.max(start, day.start),
      end: Math.min(end, day.end),
    }));
    const minute = (instant: number): number => (instant - day.start) / MINUTE_MS;
    const stretches = [
      ...between(open, day).map((range) => ({ ...range, rate: null, isShut: true })),
      ...open.flatMap((range) =>
        splitByRate(rates, range, 'UTC').map(({ start, end, rate }) => ({ start, end, rate, isShut: false })),
      ),
    ].sort((a, b) => a.start - b.start);
    const merged: WeekStretch[] = [];
    for (const { start, end, rate, isShut } of stretches) {
      const last = merged.at(-1);
      if (last && last.rate === rate && last.isShut === isShut) last.to = minute(end);
      else merged.push({ from: minute(start), to: minute(end), rate, isShut });
    }
    return merged;
  });
}

/** Returns the rows of the table of a week. There is a row wherever something changes on any day. */
export function weekRows(week: WeekStretch[][]): WeekRow[] {
  const ends = [...new Set(week.flatMap((day) => day.map(({ to }) => to)))].sort((a, b) => a - b);
  return ends.map((to, n) => {
    const from = ends[n - 1] ?? 0;
    const days = week.map((day) => {
      const stretch = day.find((each) => each.from === from);
      if (!stretch) return null;
      return { stretch, rows: ends.filter((end) => end > from && end <= stretch.to).length };
    });
    return { from, to, days };
  });
}

/** Writes a minute of the day: `18:00`. The end of the day is `24:00`. */
export const formatMinuteOfDay = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** True if a stretch is a whole day. */
export const isWholeDay = ({ from, to }: WeekStretch): boolean => from === 0 && to === DAY_MINUTES;
