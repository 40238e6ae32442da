import type { Room } from '../../db/entities/rooms.js';
import { DAY_MS } from '../../domain/durations.js';
import type { ApiError } from '../../domain/errors.js';
import { GUEST } from '../../domain/rates/rates.js';
import { addLength } from '../../domain/rooms/grid.js';
import { freeStartsBetween } from '../../api/resources/bookings/free-times.js';
import { quoteForPublicGuest } from '../../api/resources/booking-page/public/book.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { asApiError } from '../../api/http/errors.js';
import type { Choice } from './guest-form.js';

const OFFERED = 6;
/** How many days ahead another time is searched for. */
export const OFFERED_DAYS = 14;

export type Quote = Awaited<ReturnType<typeof quoteForPublicGuest>>;

/** A time that can be booked, with its price. */
export interface Offered {
  start: Date;
  end: Date;
  quote: Quote;
}

/** A requested time, with its length in the unit that forms use. */
interface AskedTime {
  start_at: Date;
  minutes: number;
}

export const endAt = (room: Room, start: Date, minutes: number): Date =>
  new Date(addLength(start.getTime(), minutes, room));

/** A time with its price; null if it is taken. Errors: those of `quoteForPublicGuest`. */
async function quoteTime(
  deps: ApiDependencies,
  room: Room,
  { start_at, minutes }: AskedTime,
  choice: Choice,
): Promise<Offered | null> {
  const end_at = endAt(room, start_at, minutes);
  const quote = await quoteForPublicGuest(deps, room, { start_at, end_at, ...choice });
  return quote.available ? { start: start_at, end: end_at, quote } : null;
}

/** Why a time, or something chosen with it, cannot be booked. Rethrows other errors. */
function asRefusal(error: unknown): ApiError {
  const known = asApiError(error);
  if (known?.status === 409 || known?.status === 422) return known;
  throw error;
}

const ALONE: Choice = { attendees: 1 };

/**
 * A time with its current price; null if it cannot be booked. If a choice is refused, the price is without
 * the discount code or, if that is refused too, that of the time alone; `refused` says why. Rethrows errors
 * that are not about the time, and `amount_too_small` for the time alone.
 */
export async function offer(
  deps: ApiDependencies,
  room: Room,
  time: AskedTime,
  choose: () => Choice = () => ALONE,
): Promise<{ found: Offered | null; refused: ApiError | null }> {
  let refused: ApiError | null = null;
  for (const choice of [choose, () => ({ ...choose(), discount_code: undefined })])
    try {
      return { found: await quoteTime(deps, room, time, choice()), refused };
    } catch (error) {
      refused ??= asRefusal(error);
    }
  try {
    return { found: await quoteTime(deps, room, time, ALONE), refused };
  } catch (error) {
    if (asRefusal(error).code === 'amount_too_small') throw error;
    return { found: null, refused };
  }
}

/** The next free times after one that is taken, with their prices. */
export async function offerNext(
  deps: ApiDependencies,
  room: Room,
  { start_at, minutes }: AskedTime,
): Promise<Offered[]> {
  const from = Math.max(start_at.getTime(), Date.now());
  const until = from + OFFERED_DAYS * DAY_MS;
  const starts = await freeStartsBetween(deps, room, {
    from,
    until,
    minutes,
    asker: GUEST,
    limit: OFFERED,
  });
  const offered: Offered[] = [];
  for (const start of starts) {
    const { found } = await offer(deps, room, { start_at: start, minutes });
    if (found) offered.push(found);
  }
  return offered;
}
