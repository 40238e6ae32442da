import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { BOOKINGS_WITH_ROOM, type BookingRow } from './booking.js';

/** A guest's bookings by their address, in any letter case, latest start first. */
export function listGuestBookings(
  tx: Tx,
  workspaceId: string,
  email: string,
  limit: number,
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `${BOOKINGS_WITH_ROOM}
     WHERE b.workspace_id = $1 AND lower(b.guest_email) = lower($2) AND b.published_at IS NOT NULL
     ORDER BY b.start_at DESC, b.id DESC LIMIT $3`,
    [workspaceId, email, limit],
  );
}
