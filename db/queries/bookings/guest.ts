import { addressKey } from '../../address.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { BOOKINGS_WITH_ROOM, type BookingRow } from './booking.js';

/** SQL that is true for a booking `b` of the guest with a canonical address. */
export const isGuest = (b: string, key: string): string =>
  `(${b}.guest_address = ${key} OR ${b}.guest_address IS NULL AND lower(${b}.guest_email) = ${key})`;

/** A guest's bookings by their address, in any spelling, latest start first. */
export function listGuestBookings(
  tx: Tx,
  workspaceId: string,
  email: string,
  limit: number,
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `${BOOKINGS_WITH_ROOM}
     WHERE b.workspace_id = $1 AND ${isGuest('b', '$2')} AND b.published_at IS NOT NULL
     ORDER BY b.start_at DESC, b.id DESC LIMIT $3`,
    [workspaceId, addressKey(email), limit],
  );
}
