import type { BookingStatus } from '../states.js';

/** What the booker of a room is told once their booking is confirmed (docs/rules/rooms.md#arrival). */
export interface Arrival {
  address: string | null;
  directions: string | null;
  access_notes: string | null;
}

/** Before the confirmation, and for people who did not book. */
export const NO_ARRIVAL: Arrival = { address: null, directions: null, access_notes: null };

/** What the booker may know of a room's arrival: nothing unless the booking is confirmed and not over. */
export const visibleArrival = (
  status: BookingStatus,
  { address, directions, access_notes }: Arrival,
): Arrival => (status === 'confirmed' ? { address, directions, access_notes } : NO_ARRIVAL);
