import { listBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { DAY_MS } from '../../../domain/durations.js';

export const MAX_CHECKED = 500;

/** The confirmed bookings of a room that have not started, the first 500. */
export function upcomingOf({ db }: ApiDependencies, room: Room): Promise<BookingRow[]> {
  const now = new Date();
  return listBookings(db.manager, {
    workspace_id: room.workspace_id,
    room_id: room.id,
    status: 'confirmed',
    from: now,
    to: new Date(now.getTime() + 730 * DAY_MS),
    limit: MAX_CHECKED,
  });
}
