import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { BookingRow } from './booking.js';

export interface PreparationFilter {
  workspace_id: string;
  from: Date;
  to: Date;
  room_id?: string;
  limit: number;
}

/** Lists the confirmed and completed bookings that start in `[from, to)`, by room and time. */
export function listPreparations(
  tx: Tx,
  { workspace_id, from, to, room_id, limit }: PreparationFilter,
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
      FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND b.start_at >= $2 AND b.start_at < $3
       AND b.status IN ('confirmed', 'completed')
       AND ($4::uuid IS NULL OR b.room_id = $4)
     ORDER BY r.name, r.id, b.start_at, b.id LIMIT $5`,
    [workspace_id, from, to, room_id ?? null, limit],
  );
}
