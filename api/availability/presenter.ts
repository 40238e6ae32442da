import type { Room } from '../../db/entities/index.js';
import type { Availability } from '../../domain/availability.js';
import type { Range } from '../../domain/slots.js';

const present = ({ start, end }: Range) => ({
  start_at: new Date(start).toISOString(),
  end_at: new Date(end).toISOString(),
});

/** A room's free and busy time as the API shows it (decisions.md, "Bookings"). Never who booked. */
export function presentAvailability(room: Room, { free, busy }: Availability) {
  return {
    room: { id: room.id, name: room.name },
    time_zone: room.time_zone,
    slot_minutes: room.slot_minutes,
    free: free.map(present),
    busy: busy.map((window) => ({ ...present(window), reason: window.reason })),
  };
}
