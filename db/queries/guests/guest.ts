import { addressKey } from '../../address.js';
import { many } from '../../query.js';
import { searchWords } from '../../search.js';
import type { Money } from '../../../domain/money.js';
import type { Tx } from '../../transaction.js';
import type { BookingRow } from '../bookings/booking.js';

/** Lists a guest's bookings by their address, in any spelling, latest start first. */
export function listGuestBookings(
  tx: Tx,
  workspaceId: string,
  email: string,
  limit: number,
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
      FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND (guest_key(b) = $2 AND b.guest_email IS NOT NULL)
       AND b.published_at IS NOT NULL
     ORDER BY b.start_at DESC, b.id DESC LIMIT $3`,
    [workspaceId, addressKey(email), limit],
  );
}

/**
 * Lists the addresses and names of a workspace's guests, of each the latest booking's, latest start first, to
 * choose one of them. `q`: only those with these words; `email`: the guest with this address, in any
 * spelling.
 */
export const listGuestNames = (
  tx: Tx,
  workspaceId: string,
  { q, email, limit }: { q?: string | undefined; email?: string; limit: number },
): Promise<{ email: string; name: string }[]> =>
  many(
    tx,
    `SELECT b.guest_email AS email, b.guest_name AS name FROM bookings b
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.guest_email IS NOT NULL
       AND NOT EXISTS (
         SELECT FROM bookings later
         WHERE later.workspace_id = $1 AND guest_key(later) = guest_key(b) AND later.guest_email IS NOT NULL
           AND later.published_at IS NOT NULL AND (later.start_at, later.id) > (b.start_at, b.id))
       AND ($2::text IS NULL OR guest_key(b) = $2)
       AND ($3::text[] IS NULL OR guest_key(b) = ANY (ARRAY(
         SELECT DISTINCT guest_key(f) FROM bookings f
         WHERE f.workspace_id = $1 AND f.published_at IS NOT NULL AND guest_contains(f, $3) LIMIT $5)))
     ORDER BY b.start_at DESC, b.id DESC LIMIT $4`,
    [
      workspaceId,
      email === undefined ? null : addressKey(email),
      q ? searchWords(q) : null,
      limit,
      MAX_SEARCHED,
    ],
  );

/** A guest, with totals of what they booked. */
export interface GuestRow {
  /**
   * The id of their latest booking, from which the start, the name and the spelling of the address are also
   * taken.
   */
  id: string;
  start_at: Date;
  name: string;
  email: string;
  /** How many of their latest bookings the following numbers cover; at most `MAX_COUNTED`. */
  counted: number;
  /** Confirmed and completed bookings, without no-shows. */
  bookings: number;
  no_shows: number;
  last_visit: Date | null;
  next_visit: Date | null;
  /** What was received for their bookings, less what was refunded or withdrawn for a dispute; by currency. */
  spent: Money[];
}

/**
 * Bookings beyond this number, the oldest, are not counted, so that an address that a desk uses for many
 * people costs no more.
 */
export const MAX_COUNTED = 500;
/** How many guests a search examines. */
const MAX_SEARCHED = 1_000;

/**
 * Lists the guests of a workspace, each once, by the start of their latest booking, latest first. `q`: words
 * of a guest's name or address or of what their documents print; `email`: the guest with this address, in any
 * spelling. Erased guests are never listed.
 */
export function listGuests(
  tx: Tx,
  filter: {
    workspace_id: string;
    q?: string;
    email?: string;
    after?: { start_at: string; id: string };
    limit: number;
  },
): Promise<GuestRow[]> {
  return many<GuestRow>(
    tx,
    // The index leads to the next guest's booking in one step, however many bookings a guest has.
    `SELECT b.id, b.start_at, b.guest_name AS name, b.guest_email AS email, f.counted, f.bookings, f.no_shows,
      f.last_visit,
            f.next_visit, m.spent
     FROM (
       SELECT b.* FROM bookings b
       WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.guest_email IS NOT NULL
         AND NOT EXISTS (
           SELECT FROM bookings later
           WHERE later.workspace_id = $1 AND guest_key(later) = guest_key(b) AND later.guest_email IS NOT NULL
             AND later.published_at IS NOT NULL AND (later.start_at, later.id) > (b.start_at, b.id))
         AND ($2::text IS NULL OR guest_key(b) = $2)
         AND ($3::text[] IS NULL OR guest_key(b) = ANY (ARRAY(
           SELECT DISTINCT guest_key(f) FROM bookings f
           WHERE f.workspace_id = $1 AND f.published_at IS NOT NULL AND guest_contains(f, $3) LIMIT $7)))
         AND ($4::timestamptz IS NULL OR (b.start_at, b.id) < ($4, $5))
       ORDER BY b.start_at DESC, b.id DESC LIMIT $6
     ) b
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS counted, count(*) FILTER (WHERE g.came)::int AS bookings,
              count(*) FILTER (WHERE g.no_show_at IS NOT NULL)::int AS no_shows,
              max(g.start_at) FILTER (WHERE g.came AND g.start_at <= now()) AS last_visit,
              min(g.start_at) FILTER (WHERE g.came AND g.start_at > now()) AS next_visit,
              array_agg(g.id) AS ids
       FROM (SELECT g.*, g.status IN ('confirmed', 'completed') AND g.no_show_at IS NULL AS came
         FROM bookings g
             WHERE g.workspace_id = $1 AND guest_key(g) = guest_key(b) AND g.guest_email IS NOT NULL
               AND g.published_at IS NOT NULL
             ORDER BY g.start_at DESC, g.id DESC LIMIT $8) g
     ) f
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('currency', s.currency, 'amount_minor', s.amount_minor)
                ORDER BY s.amount_minor DESC), '[]') AS spent
       FROM (SELECT p.currency,
         sum(p.amount_minor - p.refunded_minor - p.disputed_minor)::bigint AS amount_minor
             FROM payments p WHERE p.booking_id = ANY (f.ids) AND p.kind <> 'refund' AND p.status <> 'failed'
             GROUP BY p.currency HAVING sum(p.amount_minor - p.refunded_minor - p.disputed_minor) > 0) s
     ) m
     ORDER BY b.start_at DESC, b.id DESC`,
    [
      filter.workspace_id,
      filter.email === undefined ? null : addressKey(filter.email),
      filter.q === undefined ? null : searchWords(filter.q),
      filter.after?.start_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      MAX_SEARCHED,
      MAX_COUNTED,
    ],
  );
}
