import { previewChange, type ChangePreview } from '../../../commands/bookings/plan-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { transaction } from '../../../db/transaction.js';
import type { BookingPlan } from '../../../domain/blackout-plan.js';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { instantOf, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { freeStartsBetween } from '../../../api/resources/bookings/free-times.js';
import type { Closed } from './closed.js';

type Move = BookingPlan & { do: 'move' };

/** Another place for a booking, of the same length. It costs its payer nothing. */
export interface FreePlace {
  plan: Move;
  room: Room;
  /** What it costs less there that the refund terms do not return; minor units. */
  unreturned_minor: number;
}

const OTHER_ROOMS = 2;
/** How many other rooms are looked at for one booking, the nearest in price first. */
const MAX_LOOKED_AT = 8;
const DAYS_AFTER = 7;

/**
 * Free places for a booking that is in the way: other rooms at its time, then its room before and after the blackout, the
 * nearer one first. Places that others of the bookings get (`taken`) are left out.
 */
export async function freePlaces(
  deps: ApiDependencies,
  { room, start_at, end_at }: Closed,
  booking: BookingRow,
  rooms: Room[],
  taken: Move[],
): Promise<FreePlace[]> {
  const [start, end] = [booking.start_at.getTime(), booking.end_at.getTime()];
  const minutes = (end - start) / MINUTE_MS;
  const starts = (from: number, until: number): Promise<number[]> =>
    from < until
      ? freeStartsBetween(deps, room, { from, until, minutes, moved: booking, by_staff: true }).then(
          (found) => found.map((at) => at.getTime()),
        )
      : Promise.resolve([]);
  const day = Math.floor(wallClock(start, room.time_zone) / DAY_MS) * DAY_MS;
  const before = await starts(instantOf(day, room.time_zone), start_at.getTime());
  const after = await starts(end_at.getTime(), end_at.getTime() + DAYS_AFTER * DAY_MS);
  const here = (at: number[]) => at.map((from) => ({ room, start_at: from, end_at: from + end - start }));
  const isFree = (place: { room: Room; start_at: number; end_at: number }): boolean =>
    !taken.some(
      (other) =>
        other.room_id === place.room.id &&
        place.start_at < other.end_at + place.room.turnaround_minutes * MINUTE_MS &&
        other.start_at < place.end_at + place.room.turnaround_minutes * MINUTE_MS,
    );
  const price = ({ price_per_hour_minor }: Room) =>
    Math.abs(price_per_hour_minor - room.price_per_hour_minor) +
    (price_per_hour_minor > room.price_per_hour_minor ? 1e9 : 0);
  const others = rooms
    .filter(({ id, currency }) => id !== room.id && currency === booking.currency)
    .toSorted((a, b) => price(a) - price(b))
    .slice(0, MAX_LOOKED_AT)
    .map((other) => ({ room: other, start_at: start, end_at: end }));
  const earlier = here(before.filter((at) => at + end - start <= start_at.getTime())).toReversed();
  const distance = ({ plan }: FreePlace): number => Math.abs(plan.start_at - start);
  const inThisRoom = [
    ...(await first(earlier.filter(isFree), 1)),
    ...(await first(here(after).filter(isFree), 1)),
  ];
  return [
    ...(await first(others.filter(isFree), OTHER_ROOMS)),
    ...inThisRoom.toSorted((a, b) => distance(a) - distance(b)),
  ];

  /** The first places at which the booking may be, by all rules of a change. */
  async function first(places: { room: Room; start_at: number; end_at: number }[], count: number) {
    const found: FreePlace[] = [];
    for (const { room: to, ...times } of places.slice(0, MAX_LOOKED_AT)) {
      if (found.length === count) break;
      const price = await priceAt(deps, booking, to, times);
      if (price && price.charge_minor === 0) {
        const difference_minor = -price.refund_minor || 0;
        found.push({
          plan: { do: 'move', room_id: to.id, ...times, difference_minor },
          room: to,
          unreturned_minor: booking.price_minor - price.price_minor - price.refund_minor,
        });
      }
    }
    return found;
  }
}

/** What a booking would cost, charge and refund at another place; null if it cannot be there. */
async function priceAt(
  { db }: ApiDependencies,
  { id, workspace_id, room_id }: BookingRow,
  room: Room,
  times: { start_at: number; end_at: number },
): Promise<ChangePreview | null> {
  const request = { ...(room.id !== room_id && { room_id: room.id }), ...times, by_staff: true };
  try {
    return await transaction(db, (tx) => previewChange(tx, { workspace_id, booking_id: id, request }));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
