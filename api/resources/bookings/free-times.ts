import { findRoomCalendars } from '../../../db/queries/rooms/availability.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { availabilityOf } from '../../../domain/availability.js';
import { dayAfter, dayIn, startOfDay, utcDay, type Day } from '../../../domain/cycle.js';
import { DAY_MINUTES, MINUTE_MS } from '../../../domain/durations.js';
import { lineFrom } from '../../../domain/grid.js';
import { latestStart, lengthLimits } from '../../../domain/slots.js';
import type { ApiDependencies } from '../../dependencies.js';

/** The lengths to choose from, besides the current one. */
const MAX_LENGTHS = 48;

/** `1 h 30 min` */
export const lengthInWords = (minutes: number): string => {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
};

/** The lengths in minutes that a room allows, at most a day, with the booking's own if there is one. */
export function lengthsOf(room: Room, current?: number): number[] {
  const { min, max } = lengthLimits(room);
  const step = room.slot_minutes;
  const lengths = new Set(current === undefined ? [] : [current]);
  for (let length = Math.ceil(min / step) * step; length <= Math.min(max, DAY_MINUTES); length += step) {
    if (lengths.size > MAX_LENGTHS) break;
    lengths.add(length);
  }
  return [...lengths].sort((a, b) => a - b);
}

/** When bookings may start: at or after `from` and before `until`, both in UTC milliseconds. */
interface Starts {
  from: number;
  until: number;
  minutes: number;
  moved?: BookingRow;
  by_staff?: boolean;
  /** The first so many only. */
  limit?: number;
}

/** The days of which a form has the free times: the one on which it opens, and those after it. */
export const FORM_DAYS = 7;

const DAY_PATTERN = /^[2-9]\d{3}-\d\d-\d\d$/;

/** The free times that a form offers, by days in the room's zone. */
export interface OfferedDays {
  /** `FORM_DAYS` days in order, each with its starts. */
  days: Map<Day, Date[]>;
  /** The one that is shown. */
  day: Day;
  starts: Date[];
  /** The first with a free time. */
  next: Day | undefined;
  /** The first and the last day on which a booking may start. */
  first: Day;
  last: Day;
}

/**
 * The free starts of a length that a form offers. A day that was `asked` for is shown as it is, if bookings may start on it. Else
 * the form opens on the first day with a free time, from today on or from the day of the booking that is `moved`: late in the
 * evening a day has none left.
 */
export async function offeredDays(
  deps: Pick<ApiDependencies, 'db'>,
  room: Room,
  { asked = '', ...rest }: Omit<Starts, 'from' | 'until' | 'limit'> & { asked?: string },
): Promise<OfferedDays> {
  const zone = room.time_zone;
  const first = dayIn(zone, new Date());
  const last = dayIn(zone, new Date(latestStart(Date.now())));
  const isDay = DAY_PATTERN.test(asked) && !Number.isNaN(Date.parse(asked));
  // 31 February is 3 March.
  const date = isDay ? utcDay(Date.parse(asked)) : '';
  const chosen = date >= first && date <= last ? date : undefined;
  const from = chosen ?? (rest.moved ? dayIn(zone, rest.moved.start_at) : first);
  const days = new Map(Array.from({ length: FORM_DAYS }, (_, n) => [dayAfter(from, n), [] as Date[]]));
  const range = {
    from: startOfDay(from, zone).getTime(),
    until: startOfDay(dayAfter(from, FORM_DAYS), zone).getTime(),
  };
  for (const start of await freeStartsBetween(deps, room, { ...rest, ...range }))
    days.get(dayIn(zone, start))!.push(start);
  const next = [...days.keys()].find((day) => days.get(day)!.length > 0);
  const day = chosen ?? next ?? from;
  return { days, day, starts: days.get(day)!, next, first, last };
}

/**
 * The starts in a range of at most a month at which a room is free for a length. The slot of a booking that is moved counts as
 * free. Staff may also start in the slot that is running.
 */
export async function freeStartsBetween(
  { db }: Pick<ApiDependencies, 'db'>,
  room: Room,
  { from, until, minutes, moved, by_staff = false, limit = Infinity }: Starts,
): Promise<Date[]> {
  const length = minutes * MINUTE_MS;
  const range = { start: from, end: until + length };
  const [calendar] = await findRoomCalendars(db.manager, {
    workspace_id: room.workspace_id,
    of: { room_id: room.id },
    from: new Date(range.start),
    to: new Date(range.end),
    except: moved?.id,
  });
  const starts: Date[] = [];
  for (const window of availabilityOf(calendar!, range, Date.now(), { by_staff }).free) {
    for (let start = lineFrom(window.start, room); start < until; start = lineFrom(start + 1, room)) {
      if (start + length > window.end || starts.length >= limit) break;
      if (start !== moved?.start_at.getTime() || start + length !== moved.end_at.getTime())
        starts.push(new Date(start));
    }
  }
  return starts;
}
