import type { BookingStatus } from '../../../domain/states.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What a week or a month of rooms shows of a booking. */
export interface CalendarBlock {
  id: string;
  room_id: string;
  start_at: Date;
  end_at: Date;
  status: BookingStatus;
  no_show_at: Date | null;
  /** Room and time are those that an unpaid change holds for it. */
  is_change: boolean;
  /** The name of the guest or member; null for an erased one. */
  booker: string | null;
  time_zone: string;
}

/**
 * Lists what is booked in rooms in a period, by start, in one statement: the bookings of a calendar
 * (`listCalendarBookings`), and the slots that unpaid changes hold for them.
 */
export function listCalendarBlocks(
  tx: Tx,
  filter: { workspace_id: string; room_ids: string[]; from: Date; to: Date },
): Promise<CalendarBlock[]> {
  return many<CalendarBlock>(
    tx,
    `WITH shown AS (
       SELECT b.id, b.room_id, b.start_at, b.end_at, false AS is_change
       FROM bookings b
       WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at < $4 AND b.end_at > $3
         AND b.status IN ('pending_payment', 'confirmed', 'completed')
         AND b.id = ANY (ARRAY(
           SELECT booking_id FROM slot_claims WHERE room_id = ANY ($2) AND during && tstzrange($3, $4)
           UNION
           SELECT id FROM bookings WHERE room_id = ANY ($2) AND published_at IS NOT NULL
             AND start_at >= $3::timestamptz - interval '1 day' AND start_at < $4))
       UNION ALL
       SELECT b.id, s.room_id, to_timestamp((c.plan -> 'move' ->> 'start_at')::float8 / 1000),
         to_timestamp((c.plan -> 'move' ->> 'end_at')::float8 / 1000), true
       FROM slot_claims s JOIN bookings b ON b.id = s.booking_id
       JOIN booking_changes c ON c.booking_id = b.id AND c.state IN ('charging', 'opening', 'pending')
       WHERE b.workspace_id = $1 AND s.room_id = ANY ($2) AND s.during && tstzrange($3, $4)
         AND (s.room_id, s.during) IS DISTINCT FROM (b.room_id, b.occupies))
     SELECT shown.*, b.status, b.no_show_at, coalesce(m.name, b.guest_name) AS booker, r.time_zone
     FROM shown JOIN bookings b ON b.id = shown.id JOIN rooms r ON r.id = shown.room_id
     LEFT JOIN members m ON m.id = b.member_id AND m.status <> 'deleted'
     WHERE shown.room_id = ANY ($2)
     ORDER BY shown.start_at, shown.id`,
    [filter.workspace_id, filter.room_ids, filter.from, filter.to],
  );
}
