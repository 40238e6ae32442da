import type { CalendarEntryFacts } from '../../../domain/bookings/calendar-entry-presenter.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

export interface CalendarFilter {
  workspace_id: string;
  from: Date;
  to?: Date;
  room_id?: string;
  /**
   * Includes bookings of rooms that share a part with `room_id` and therefore occupy it
   * (docs/rules/rooms.md#parts).
   */
  with_parts?: boolean;
  member_id?: string;
  /** The caller, if they can only see their own bookings. */
  only_of?: string;
  limit: number;
}

/** A booking as the feed shows it. */
export interface CalendarRow extends CalendarEntryFacts {
  member_id: string | null;
  booked_by: string;
  attendees: number;
  notes: string | null;
  no_show_at: Date | null;
}

/**
 * Lists published bookings that start in `[from, to)`, by start and id. Cancelled and expired ones are
 * included for 30 days, so that every calendar removes its entry.
 */
export function listCalendar(tx: Tx, filter: CalendarFilter): Promise<CalendarRow[]> {
  return many<CalendarRow>(
    tx,
    `SELECT b.id, b.reference, b.status, b.sequence, b.start_at, b.end_at, b.updated_at, b.member_id,
      b.attendees, b.notes, b.no_show_at,
            coalesce(b.guest_name, m.name, 'an erased booker') AS booked_by, r.name AS room_name,
              w.name AS workspace_name, r.address, r.directions, r.access_notes
     FROM bookings b
     JOIN rooms r ON r.id = b.room_id
     JOIN workspaces w ON w.id = b.workspace_id
     LEFT JOIN members m ON m.id = b.member_id
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL
       AND b.start_at >= $2 AND ($3::timestamptz IS NULL OR b.start_at < $3)
       AND ($4::uuid IS NULL OR b.room_id = ANY (ARRAY(
         SELECT $4 UNION SELECT other.room_id FROM room_leaves own
           JOIN room_leaves other ON other.leaf_id = own.leaf_id
         WHERE own.room_id = $4 AND $8))) AND ($5::text IS NULL OR b.member_id = $5)
       AND ($6::text IS NULL OR b.member_id = $6)
       AND (b.status NOT IN ('cancelled', 'expired')
            OR coalesce(b.cancelled_at, b.expired_at) > now() - interval '30 days')
     ORDER BY b.start_at, b.id LIMIT $7`,
    [
      filter.workspace_id,
      filter.from,
      filter.to ?? null,
      filter.room_id ?? null,
      filter.member_id ?? null,
      filter.only_of ?? null,
      filter.limit,
      filter.with_parts ?? false,
    ],
  );
}
