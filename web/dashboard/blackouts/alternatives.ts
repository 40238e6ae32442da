import { previewChange, type ChangePreview } from '../../../commands/bookings/change/plan.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import type { BookingPlan } from '../../../domain/blackouts/plan.js';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { addLength, countedMinutes } from '../../../domain/rooms/grid.js';
import { findLeaves } from '../../../domain/rooms/parts.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { freeStartsBetween } from '../../../api/resources/bookings/free-times.js';

export interface Closed {
  room: Room;
  start_at: Date;
  end_at: Date;
}

export type MovePlan = BookingPlan & { do: 'move' };

/** A room and a time, in UTC milliseconds. */
interface RoomSlot {
  room: Room;
  start_at: number;
  end_at: number;
}

/** An alternative slot of the same length at no extra cost to the payer. */
export interface AlternativeSlot {
  plan: MovePlan;
  room: Room;
  /** The price reduction that the refund terms do not return, in minor units. */
  unreturned_minor: number;
}

const OTHER_ROOMS = 2;
/** How many other rooms are checked for a booking, nearest in price first. */
const MAX_LOOKED_AT = 8;
const DAYS_AFTER = 7;

/**
 * Yields free slots for a booking in the way: other rooms at its time, then its own room before and after the
 * blackout, the nearer one first. `isTaken`: whether another booking is already offered an overlapping slot;
 * its result can change between two slots.
 */
export async function* findAlternatives(
  deps: ApiDependencies,
  { room, start_at, end_at }: Closed,
  booking: BookingRow,
  rooms: Room[],
  isTaken: (place: MovePlan) => boolean,
): AsyncGenerator<AlternativeSlot> {
  const [start, end] = [booking.start_at.getTime(), booking.end_at.getTime()];
  const minutes = countedMinutes({ start, end }, room);
  const here = async (from: number, until: number): Promise<RoomSlot[]> => {
    if (from >= until) return [];
    const starts = await freeStartsBetween(deps, room, {
      from,
      until,
      minutes,
      moved: booking,
      by_staff: true,
    });
    return starts.map((at) => ({
      room,
      start_at: at.getTime(),
      end_at: addLength(at.getTime(), minutes, room),
    }));
  };
  const price = ({ price_per_hour_minor }: Room) =>
    Math.abs(price_per_hour_minor - room.price_per_hour_minor) +
    (price_per_hour_minor > room.price_per_hour_minor ? 1e9 : 0);
  const others = rooms
    .filter(({ id, currency }) => id !== room.id && currency === booking.currency)
    .toSorted((a, b) => price(a) - price(b))
    .map((other) => ({ room: other, start_at: start, end_at: end }));
  yield* cheap(others, OTHER_ROOMS);

  const day = Math.floor(wallClock(start, room.time_zone) / DAY_MS) * DAY_MS;
  const before = await here(toInstant(day, room.time_zone), start_at.getTime());
  const earlier = before.filter((place) => place.end_at <= start_at.getTime()).toReversed();
  const later = await here(end_at.getTime(), end_at.getTime() + DAYS_AFTER * DAY_MS);
  const distance = ([nearest]: RoomSlot[]): number =>
    nearest ? Math.abs(nearest.start_at - start) : Number.POSITIVE_INFINITY;
  for (const side of [earlier, later].toSorted((a, b) => distance(a) - distance(b))) yield* cheap(side, 1);

  /** The first slots that the rules for changes allow and that cost the payer nothing more. */
  async function* cheap(places: RoomSlot[], most: number): AsyncGenerator<AlternativeSlot> {
    let [found, looked_at] = [0, 0];
    for (const { room: to, ...times } of places) {
      if (found === most || looked_at === MAX_LOOKED_AT) return;
      const place = { do: 'move' as const, room_id: to.id, ...times, difference_minor: 0 };
      if (isTaken(place)) continue;
      looked_at++;
      const costs = await priceAt(deps, booking, to, times);
      if (!costs || costs.charge_minor > 0) continue;
      found++;
      yield {
        plan: { ...place, difference_minor: -costs.refund_minor || 0 },
        room: to,
        unreturned_minor: booking.price_minor - costs.price_minor - costs.refund_minor,
      };
    }
  }
}

/**
 * Whether two moves end in overlapping slots, turnaround included, of one room or of rooms that share a part.
 */
export function overlapIn(rooms: Room[]): (a: MovePlan, b: MovePlan) => boolean {
  const leaves = findLeaves(rooms);
  const turnaround = new Map(rooms.map(({ id, turnaround_minutes }) => [id, turnaround_minutes * MINUTE_MS]));
  const leavesAt = (id: string): Set<string> => leaves.get(id) ?? new Set([id]);
  const until = ({ room_id, end_at }: MovePlan): number => end_at + (turnaround.get(room_id) ?? 0);
  return (a, b) =>
    a.start_at < until(b) &&
    b.start_at < until(a) &&
    [...leavesAt(a.room_id)].some((leaf) => leavesAt(b.room_id).has(leaf));
}

/** The price, charge and refund of a booking in another slot; null if it cannot be moved there. */
async function priceAt(
  { db }: ApiDependencies,
  { id, workspace_id, room_id }: BookingRow,
  room: Room,
  times: { start_at: number; end_at: number },
): Promise<ChangePreview | null> {
  const request = { ...(room.id !== room_id && { room_id: room.id }), ...times, by_staff: true };
  try {
    return await previewChange(db, { workspace_id, booking_id: id, request });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
