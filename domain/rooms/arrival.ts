import type { BookingStatus } from '../states.js';

/** What the booker of a room learns once their booking is confirmed (docs/rules/rooms.md#arrival). */
export interface Arrival {
  address: string | null;
  directions: string | null;
  access_notes: string | null;
}

/** Used before the confirmation, and for people other than the booker. */
export const NO_ARRIVAL: Arrival = { address: null, directions: null, access_notes: null };

/**
 * Returns what the booker may know about arriving at a room. Empty unless the booking is confirmed and not
 * over.
 */
export const visibleArrival = (
  status: BookingStatus,
  { address, directions, access_notes }: Arrival,
): Arrival => (status === 'confirmed' ? { address, directions, access_notes } : NO_ARRIVAL);
