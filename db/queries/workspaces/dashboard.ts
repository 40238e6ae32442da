import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import type { SellerFacts } from '../../../domain/invoices/parties.js';
import { column, many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { BookingRow } from '../bookings/booking.js';

/**
 * Returns when days begin in a time zone, each given by its number of days from today. Postgres may not know
 * the zone.
 */
const daysIn = (timeZone: string, ...fromToday: number[]): Date[] => {
  const today = dayIn(timeZone, new Date());
  return fromToday.map((days) => startOfDay(dayAfter(today, days), timeZone));
};

export interface BookingCounts {
  pending: number;
  today: number;
  next_days: number;
}

/**
 * Returns the numbers of bookings that wait for payment, start today in the workspace's time zone, or start
 * within seven days.
 */
export function countBookings(tx: Tx, workspaceId: string, timeZone: string): Promise<BookingCounts> {
  return one<BookingCounts>(
    tx,
    `SELECT count(*) FILTER (WHERE status = 'pending_payment')::int AS pending,
            count(*) FILTER (WHERE status = 'confirmed'
              AND start_at >= $2 AND start_at < $3)::int AS today,
            count(*) FILTER (WHERE status = 'confirmed' AND start_at >= now())::int AS next_days
     FROM bookings WHERE workspace_id = $1 AND published_at IS NOT NULL
       AND start_at >= now() - interval '1 day' AND (start_at < now() + interval '7 days'
         OR status = 'pending_payment')`,
    [workspaceId, ...daysIn(timeZone, 0, 1)],
  );
}

/** A member who made a booking, as the dashboard shows them. */
export interface BookingMember {
  name: string;
  email: string;
}

/** Returns the members who made bookings, by id, without erased ones. */
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

/** What lists show about bookings in addition to their rows. */
export interface BookingListFacts {
  /** Who made them, by id. */
  members: Map<string, BookingMember>;
  /** The ids of those with an unpaid change. */
  changing: ReadonlySet<string>;
}

/** Returns who made bookings, and which of them have an unpaid change. */
export async function findBookingListFacts(
  tx: Tx,
  workspaceId: string,
  bookings: { id: string; member_id: string | null }[],
): Promise<BookingListFacts> {
  const [members, changing] = await Promise.all([
    findBookingMembers(tx, workspaceId, bookings),
    column<string>(
      tx,
      `SELECT booking_id FROM booking_changes
       WHERE booking_id = ANY ($2) AND workspace_id = $1 AND state IN ('charging', 'opening', 'pending')`,
      [workspaceId, bookings.map(({ id }) => id)],
    ),
  ]);
  return { members, changing: new Set(changing) };
}

/** The money of a period in one currency; minor units. */
export interface MoneyOfPeriod {
  received_minor: number;
  /** Refunded, including refunds on their way. */
  refunded_minor: number;
  refunding_minor: number;
  /** What banks withdrew for disputes; below zero if they returned more. */
  disputed_minor: number;
}

/**
 * Returns the money that moved today and in the last seven days, including today, in the workspace's time
 * zone.
 */
export async function findMoneyOfDays(
  tx: Tx,
  { workspace_id, time_zone, currency }: { workspace_id: string; time_zone: string; currency: string },
): Promise<{ today: MoneyOfPeriod; week: MoneyOfPeriod }> {
  const [today, week] = daysIn(time_zone, 0, -6);
  return one<Record<'today' | 'week', MoneyOfPeriod>>(
    tx,
    `WITH since AS (
       SELECT $2::timestamptz AS day, $4::timestamptz AS week
     ), moved AS (
       SELECT p.kind, p.status, p.amount_minor, moved_at(p) >= since.day AS is_today
       FROM since JOIN payments p ON p.workspace_id = $1 AND p.currency = $3
         AND coalesce(p.settled_at, p.paid_at, p.created_at) >= since.week
       UNION ALL
       SELECT 'dispute', NULL, m.amount_minor, m.created_at >= since.day
       FROM since JOIN disputes d ON d.workspace_id = $1
       JOIN dispute_movements m ON m.dispute_id = d.id AND m.created_at >= since.week
       JOIN payments p ON p.id = m.payment_id AND p.currency = $3
     )
     SELECT (SELECT jsonb_build_object(
              'received_minor', coalesce(sum(amount_minor) FILTER (WHERE kind NOT IN ('refund', 'dispute')
                AND status <> 'failed'), 0)::bigint,
              'refunded_minor', coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'
                AND status = 'succeeded'), 0)::bigint,
              'refunding_minor', coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'
                AND status = 'pending'), 0)::bigint,
              'disputed_minor', coalesce(sum(-amount_minor) FILTER (WHERE kind = 'dispute'), 0)::bigint)
             FROM moved WHERE is_today) AS today,
            (SELECT jsonb_build_object(
              'received_minor', coalesce(sum(amount_minor) FILTER (WHERE kind NOT IN ('refund', 'dispute')
                AND status <> 'failed'), 0)::bigint,
              'refunded_minor', coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'
                AND status = 'succeeded'), 0)::bigint,
              'refunding_minor', coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'
                AND status = 'pending'), 0)::bigint,
              'disputed_minor', coalesce(sum(-amount_minor) FILTER (WHERE kind = 'dispute'), 0)::bigint)
             FROM moved) AS week`,
    [workspace_id, today, currency, week],
  );
}

/** What a new workspace still has to set up. */
export interface FirstSteps extends SellerFacts {
  currency: string;
  tax_codes: TaxCode[];
  processor: boolean;
  /** True if payers can reach the workspace. */
  contact: boolean;
  accounting: boolean;
  room: boolean;
  /** True if the workspace has its booking page. */
  page: boolean;
  booking: boolean;
}

/** Returns which of the first steps are done. */
export function findFirstSteps(tx: Tx, workspaceId: string): Promise<FirstSteps> {
  return one<FirstSteps>(
    tx,
    `SELECT w.processor_status = 'active' AS processor,
            EXISTS (SELECT FROM accounting_connections c WHERE c.workspace_id = w.id) AS accounting,
            EXISTS (SELECT FROM rooms r WHERE r.workspace_id = w.id) AS room,
            w.contact_email IS NOT NULL AS contact, w.legal_name, w.legal_address, w.tax_number, w.tax_codes,
              w.currency, w.invoice_details,
            EXISTS (SELECT FROM booking_pages p WHERE p.workspace_id = w.id) AS page,
            EXISTS (SELECT FROM bookings b WHERE b.workspace_id = w.id
              AND b.published_at IS NOT NULL) AS booking
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
}

/**
 * Lists bookings that wait for payment, are running, or start later today in the workspace's time zone; by
 * start. Only live bookings have claims, so neither past time nor the number of stored bookings matters.
 */
export function listToday(
  tx: Tx,
  filter: { workspace_id: string; time_zone: string; only_of?: string; limit: number },
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
      FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.published_at IS NOT NULL AND b.workspace_id = $1 AND ($3::text IS NULL OR b.member_id = $3)
       AND b.id = ANY (ARRAY(
         SELECT c.booking_id FROM rooms JOIN slot_claims c ON c.room_id = rooms.id
           AND c.during && tstzrange(now(), $2)
         WHERE rooms.workspace_id = $1
         UNION
         SELECT id FROM bookings WHERE status = 'pending_payment' AND workspace_id = $1))
       AND b.end_at > now()
     ORDER BY b.status = 'confirmed', b.start_at, b.id LIMIT $4`,
    [filter.workspace_id, ...daysIn(filter.time_zone, 1), filter.only_of ?? null, filter.limit],
  );
}
