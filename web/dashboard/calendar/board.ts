import type { CalendarBlock } from '../../../db/queries/bookings/calendar-blocks.js';
import type { ClosingBlackout } from '../../../db/queries/blackouts/blackout.js';
import type { Range } from '../../../domain/bookings/slots.js';
import { DAY_MS } from '../../../domain/durations.js';
import { wallClock } from '../../../domain/time-zone.js';
import { rangeOfDay } from './axis.js';
import { listDays, type Period } from './period.js';

/** A booking or a blackout on one of the days of its room that it is on. */
export interface Entry {
  of: { booking: CalendarBlock } | { blackout: ClosingBlackout };
  room_id: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  /** Whether it starts before the day, and ends after it. */
  begun: boolean;
  goesOn: boolean;
}

const localDay = (instant: number, timeZone: string): number =>
  Math.floor(wallClock(instant, timeZone) / DAY_MS) * DAY_MS;

/** The days of a period that a time is on, in a room's zone. */
function daysWith(range: Range, time_zone: string, period: Pick<Period, 'first' | 'days'>): number[] {
  const first = localDay(range.start, time_zone);
  const last = localDay(Math.max(range.start, range.end - 1), time_zone);
  return listDays(period).filter((midnight) => midnight >= first && midnight <= last);
}

/** What is booked or closed, by midnight: each entry on all its days, by start. */
export function entriesByDay(
  { bookings, blackouts }: { bookings: CalendarBlock[]; blackouts: ClosingBlackout[] },
  zones: ReadonlyMap<string, string>,
  period: Pick<Period, 'first' | 'days'>,
): Map<number, Entry[]> {
  const days = new Map<number, Entry[]>(listDays(period).map((midnight) => [midnight, []]));
  const all = [
    ...bookings.map((booking) => ({ ...booking, of: { booking } })),
    ...blackouts.map((blackout) => ({ ...blackout, of: { blackout } })),
  ].toSorted((a, b) => a.start_at.getTime() - b.start_at.getTime());
  for (const { of, room_id, start_at, end_at } of all) {
    const time_zone = zones.get(room_id);
    if (!time_zone) continue;
    const range = { start: start_at.getTime(), end: end_at.getTime() };
    for (const midnight of daysWith(range, time_zone, period)) {
      const day = rangeOfDay({ midnight, time_zone });
      const [begun, goesOn] = [range.start < day.start, range.end > day.end];
      days.get(midnight)!.push({ of, room_id, time_zone, start_at, end_at, begun, goesOn });
    }
  }
  return days;
}
