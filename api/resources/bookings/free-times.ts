import { findRoomCalendars } from '../../../db/queries/rooms/availability.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { availabilityOf } from '../../../domain/availability.js';
import { DAY_MINUTES, MINUTE_MS } from '../../../domain/durations.js';
import { formDays, offerOf, rangeOf, type AskedDay, type OfferedDays } from '../../../domain/form-days.js';
import { lineFrom } from '../../../domain/grid.js';
import { lengthLimits } from '../../../domain/slots.js';
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

/** The free starts of a length that a form offers, on the days that follow from its address. */
export async function offeredDays(
  deps: Pick<ApiDependencies, 'db'>,
  room: Room,
  { asked, ...rest }: Omit<Starts, 'from' | 'until' | 'limit'> & { asked: AskedDay },
): Promise<OfferedDays> {
  const days = formDays(asked, { zone: room.time_zone, now: Date.now(), opens_at: rest.moved?.start_at });
  return offerOf(days, await freeStartsBetween(deps, room, { ...rest, ...rangeOf(days) }));
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
