import type { Tx } from '../../transaction.js';

/** A workspace's bookings in numbers. */
export interface BookingCounts {
  pending: number;
  today: number;
  next_days: number;
}

/** How many bookings wait for money, begin today in the workspace's zone, and begin within seven days. */
export async function countBookings(tx: Tx, workspaceId: string, timeZone: string): Promise<BookingCounts> {
  const [counts] = await tx.query(
    `SELECT count(*) FILTER (WHERE status = 'pending_payment')::int AS pending,
            count(*) FILTER (WHERE status = 'confirmed'
              AND (start_at AT TIME ZONE $2)::date = (now() AT TIME ZONE $2)::date)::int AS today,
            count(*) FILTER (WHERE status = 'confirmed' AND start_at >= now())::int AS next_days
     FROM bookings WHERE workspace_id = $1 AND published_at IS NOT NULL
       AND start_at >= now() - interval '1 day' AND (start_at < now() + interval '7 days' OR status = 'pending_payment')`,
    [workspaceId, timeZone],
  );
  return counts;
}

/** An entry of a booking's timeline. */
export interface TimelineEntry {
  at: Date;
  what: string;
  amount_minor: number | null;
  currency: string | null;
  /** Beside it: who confirmed, how it was paid, why it was given back. */
  detail: string | null;
}

/** A booking's events, payments and sent mails, oldest first. */
export function listTimeline(tx: Tx, workspaceId: string, bookingId: string): Promise<TimelineEntry[]> {
  return tx.query(
    `SELECT created_at AS at, type AS what, NULL::bigint AS amount_minor, NULL AS currency,
            CASE type WHEN 'booking.confirmed' THEN body #>> '{data,object,confirmation_source}' END AS detail
     FROM events WHERE object_id = $2 AND workspace_id = $1
     UNION ALL
     SELECT created_at, 'payment.' || kind || '.' || CASE WHEN kind <> 'refund' AND status <> 'failed' THEN 'succeeded' ELSE status END, amount_minor, currency,
            coalesce(reason, source, method)
     FROM payments WHERE booking_id = $2 AND workspace_id = $1
     UNION ALL
     SELECT sent_at, 'mail.' || kind, NULL, NULL, NULL
     FROM mails WHERE booking_id = $2 AND workspace_id = $1 AND sent_at IS NOT NULL
     ORDER BY 1, 2`,
    [workspaceId, bookingId],
  );
}

/** A member, as the dashboard names them. */
export interface Booker {
  name: string;
  email: string;
}

/** The members who made bookings, by their ids; one who was erased is not among them. */
export async function findBookers(
  tx: Tx,
  workspaceId: string,
  bookings: { member_id: string | null }[],
): Promise<Map<string, Booker>> {
  const ids = bookings.flatMap(({ member_id }) => member_id ?? []);
  const rows: (Booker & { id: string })[] = await tx.query(
    `SELECT m.id, p.name, p.email FROM members m JOIN profiles p ON p.id = m.profile_id
     WHERE m.workspace_id = $1 AND m.id = ANY ($2)`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, ...booker }) => [id, booker]));
}

/** An event and how its last delivery went; null where it was not sent. */
export interface SentEvent {
  id: string;
  type: string;
  created_at: Date;
  attempt: number | null;
  status_code: number | null;
  error: string | null;
}

/** A workspace's newest events. */
export function listSentEvents(tx: Tx, workspaceId: string, limit: number): Promise<SentEvent[]> {
  return tx.query(
    `SELECT e.id, e.type, e.created_at, last.attempt, last.status_code, last.error
     FROM (SELECT id, type, created_at, position FROM events
           WHERE workspace_id = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT $2) e
     LEFT JOIN LATERAL (SELECT attempt, status_code, error FROM webhook_deliveries d
                        WHERE d.event_id = e.id AND d.workspace_id = $1 ORDER BY attempt DESC LIMIT 1) last ON true
     ORDER BY e.position DESC`,
    [workspaceId, limit],
  );
}
