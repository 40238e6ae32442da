import type { Room } from '../../db/entities/index.js';
import type { Availability } from '../../domain/availability.js';

/** Writes instants as text; the same ones come back in each room, and writing one takes a microsecond. */
function instantWriter(): (instant: number) => string {
  const written = new Map<number, string>();
  return (instant) => {
    let text = written.get(instant);
    if (text === undefined) written.set(instant, (text = new Date(instant).toISOString()));
    return text;
  };
}

/**
 * Shows free and busy time of the rooms of one answer, one after the other (decisions.md, "Bookings"). Never who
 * booked.
 */
export function availabilityPresenter() {
  const write = instantWriter();
  return (room: Room, { free, busy }: Availability) => ({
    room: { id: room.id, name: room.name },
    time_zone: room.time_zone,
    slot_minutes: room.slot_minutes,
    free: free.map(({ start, end }) => ({ start_at: write(start), end_at: write(end) })),
    busy: busy.map(({ start, end, reason }) => ({ start_at: write(start), end_at: write(end), reason })),
  });
}
