import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Counts of a workspace's bookings. */
export interface BookingCounts {
  pending: number;
  today: number;
  next_days: number;
}

/** The numbers of bookings that wait for payment, start today in the workspace's time zone, start within seven days. */
export function countBookings(tx: Tx, workspaceId: string, timeZone: string): Promise<BookingCounts> {
  return one<BookingCounts>(
    tx,
    `SELECT count(*) FILTER (WHERE status = 'pending_payment')::int AS pending,
            count(*) FILTER (WHERE status = 'confirmed'
              AND (start_at AT TIME ZONE $2)::date = (now() AT TIME ZONE $2)::date)::int AS today,
            count(*) FILTER (WHERE status = 'confirmed' AND start_at >= now())::int AS next_days
     FROM bookings WHERE workspace_id = $1 AND published_at IS NOT NULL
       AND start_at >= now() - interval '1 day' AND (start_at < now() + interval '7 days' OR status = 'pending_payment')`,
    [workspaceId, timeZone],
  );
}

/** An entry of a booking's timeline. */
export interface TimelineEntry {
  at: Date;
  what: string;
  amount_minor: number | null;
  currency: string | null;
  /** What confirmed it, how it was paid, or why it was refunded. */
  detail: string | null;
}

/** A booking's timeline, oldest first: its events, payments and mails. */
export function listTimeline(tx: Tx, workspaceId: string, bookingId: string): Promise<TimelineEntry[]> {
  return many<TimelineEntry>(
    tx,
    `SELECT created_at AS at, type AS what, NULL::bigint AS amount_minor, NULL AS currency,
            CASE type WHEN 'booking.confirmed' THEN body #>> '{data,object,confirmation_source}' END AS detail
     FROM events WHERE object_id = $2 AND workspace_id = $1
     UNION ALL
     SELECT created_at, 'payment.' || kind || '.' ||
              CASE WHEN kind <> 'refund' AND status <> 'failed' THEN 'succeeded' ELSE status END,
            amount_minor, currency, coalesce(reason, source, method)
     FROM payments WHERE booking_id = $2 AND workspace_id = $1
     UNION ALL
     SELECT sent_at, 'mail.' || kind, NULL, NULL, NULL
     FROM mails WHERE booking_id = $2 AND workspace_id = $1 AND sent_at IS NOT NULL
     ORDER BY 1, 2`,
    [workspaceId, bookingId],
  );
}

/** A member who made a booking, as the dashboard shows them. */
export interface BookingMember {
  name: string;
  email: string;
}

/** The members who made bookings, by id, without erased ones. */
export async function findBookingMembers(
  tx: Tx,
  workspaceId: string,
  bookings: { member_id: string | null }[],
): Promise<Map<string, BookingMember>> {
  const ids = bookings.flatMap(({ member_id }) => member_id ?? []);
  const rows = await many<BookingMember & { id: string }>(
    tx,
    `SELECT m.id, m.name, m.email FROM members m
     WHERE m.workspace_id = $1 AND m.id = ANY ($2) AND m.status <> 'deleted'`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, ...member }) => [id, member]));
}
