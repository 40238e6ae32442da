import { findRoomCalendars } from '../../../db/queries/bookings/availability.js';
import { findBooker, type BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import {
  formDays,
  buildOfferedDays,
  formRange,
  type AskedDay,
  type OfferedDays,
} from '../../../domain/bookings/form-days.js';
import {
  buildOfferedMonth,
  formMonth,
  monthRange,
  type AskedMonth,
  type FormMonth,
  type OfferedMonth,
} from '../../../domain/bookings/form-month.js';
import { bookingsFrom, rangeOfStarts } from '../../../domain/bookings/offered-times.js';
import { pricesFor } from '../../../domain/rates/from-price.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import type { Asker, Audience } from '../../../domain/rates/rates.js';
import { addLength } from '../../../domain/rooms/grid.js';
import type { ApiDependencies } from '../../dependencies.js';
import { takeTurns } from '../../http/turns.js';

/** The range in which bookings may start: at or after `from` and before `until`, in UTC milliseconds. */
interface Starts {
  from: number;
  until: number;
  minutes: number;
  moved?: BookingRow;
  /** Who will book, unless a booking is moved; null if that is not known. */
  asker?: Asker;
  by_staff?: boolean;
  /** The maximum number of starts. */
  limit?: number;
}

/** The free starts of a length that a form offers, on the days that follow from its address. */
export async function offeredDays(
  deps: Pick<ApiDependencies, 'db'>,
  room: Room,
  { asked, ...rest }: Omit<Starts, 'from' | 'until' | 'limit'> & { asked: AskedDay },
): Promise<OfferedDays> {
  const days = formDays(asked, { zone: room.time_zone, now: Date.now(), opens_at: rest.moved?.start_at });
  return buildOfferedDays(days, await freeStartsBetween(deps, room, { ...rest, ...formRange(days) }));
}

/**
 * The days of a month on which a room is free for a given length, and the free times of one of them. One
 * statement reads the whole month. A form that opens late in a month with nothing left shows the next month.
 */
export async function offeredMonth(
  deps: Pick<ApiDependencies, 'db'>,
  room: Room,
  { asked, ...rest }: Omit<Starts, 'from' | 'until' | 'limit'> & { asked: AskedMonth },
): Promise<OfferedMonth> {
  const when = { zone: room.time_zone, now: Date.now() };
  const read = async (form: FormMonth): Promise<OfferedMonth> =>
    buildOfferedMonth(form, await freeStartsBetween(deps, room, { ...rest, ...monthRange(form) }));
  const form = formMonth(asked, { ...when, opens_at: rest.moved?.start_at });
  const offered = await read(form);
  if (offered.day || Object.keys(form.asked).length > 0 || !form.next) return offered;
  const later = await read({ ...formMonth({ month: form.next }, when), asked: {} });
  return later.day ? later : offered;
}

/**
 * The prices of bookings of a length for a booker, tax included, by their starts; null if the workspace no
 * longer has the room's tax code. Other requests run in between: a day has up to 1,440 starts.
 */
export async function priceStarts(
  room: Room,
  { starts, minutes }: { starts: Date[]; minutes: number },
  booker: Audience,
  taxCodes: TaxCode[],
): Promise<Map<Date, number> | null> {
  const computePrice = pricesFor(room, booker, taxCodes, Date.now());
  if (!computePrice) return null;
  const turn = takeTurns();
  const prices = new Map<Date, number>();
  for (const at of starts) {
    const start = at.getTime();
    prices.set(at, computePrice({ start, end: addLength(start, minutes, room) }));
    if (turn.isDue()) await turn();
  }
  return prices;
}

/**
 * The starts in a range of at most a month at which a room is free for a given length. The slot of a booking
 * that is being moved counts as free. Staff may also start in the current slot.
 */
export async function freeStartsBetween(
  { db }: Pick<ApiDependencies, 'db'>,
  room: Room,
  { from, until, minutes, moved, asker = null, by_staff = false, limit = Infinity }: Starts,
): Promise<Date[]> {
  const range = rangeOfStarts({ from, until, minutes });
  const [calendar] = await findRoomCalendars(
    db.manager,
    {
      workspace_id: room.workspace_id,
      of: { room_id: room.id },
      from: new Date(range.start),
      to: new Date(range.end),
      except: moved?.id,
    },
    moved ? await findBooker(db.manager, moved) : asker,
  );
  // A move to another room can keep the time.
  const own = moved?.room_id === room.id ? moved : undefined;
  const starts: Date[] = [];
  for (const { start, end } of bookingsFrom(calendar!, { from, until, minutes }, Date.now(), { by_staff })) {
    if (starts.length >= limit) break;
    if (start !== own?.start_at.getTime() || end !== own.end_at.getTime()) starts.push(new Date(start));
  }
  return starts;
}
