import type { Availability } from './availability.js';

/** The fields of a room that are part of its availability. */
export interface AvailabilityRoomFacts {
  id: string;
  name: string;
  time_zone: string;
  slot_minutes: number;
}

/**
 * The lowest price in each free window, in minor units; null if no booking of the shortest length fits in.
 */
export interface FromPrices {
  currency: string;
  least: (number | null)[];
}

const toIso = (instant: number): string => new Date(instant).toISOString();

/**
 * Writes the free and busy time of a room as JSON text (docs/rules/rooms.md#availability), without who
 * booked.
 */
export function presentAvailability(
  { id, name, time_zone, slot_minutes }: AvailabilityRoomFacts,
  { free, busy }: Availability,
  from?: FromPrices,
): string {
  const priced = (amount_minor: number | null) =>
    amount_minor === null ? null : { currency: from!.currency, amount_minor };
  return JSON.stringify({
    room: { id, name },
    time_zone,
    slot_minutes,
    free: free.map(({ start, end }, n) => ({
      start_at: toIso(start),
      end_at: toIso(end),
      ...(from && { from_price: priced(from.least[n]!) }),
    })),
    busy: busy.map(({ start, end, reason }) => ({ start_at: toIso(start), end_at: toIso(end), reason })),
  });
}
