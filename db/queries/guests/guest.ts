import { addressKey } from '../../address.js';
import { many } from '../../query.js';
import { containsWords, GUEST_TEXT, type Bind } from '../../search.js';
import type { Money } from '../../../domain/money.js';
import type { Tx } from '../../transaction.js';
import { BOOKINGS_WITH_ROOM, type BookingRow } from '../bookings/booking.js';

/** SQL for the canonical address of the guest of a booking `b`; its index has the start and id after it. */
const keyOf = (b: string): string => `coalesce(${b}.guest_address, lower(${b}.guest_email))`;

/** SQL that is true for a booking `b` of the guest with a canonical address. */
export const isGuest = (b: string, key: string): string =>
  `(${keyOf(b)} = ${key} AND ${b}.guest_email IS NOT NULL)`;

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

/** A guest, with what they have booked. */
export interface GuestRow {
  /** Of their latest booking, as are its start, the name and the spelling of the address. */
  id: string;
  start_at: Date;
  name: string;
  email: string;
  /** How many of their latest bookings the following are of; at most `MAX_COUNTED`. */
  counted: number;
  /** Confirmed and completed ones, without no-shows. */
  bookings: number;
  no_shows: number;
  last_visit: Date | null;
  next_visit: Date | null;
  /** Received for their bookings, less what was refunded or withdrawn for a dispute; by currency. */
  spent: Money[];
}

/**
 * Beyond so many bookings the oldest are not counted, so that an address which a desk gives to
 * many people costs no more.
 */
export const MAX_COUNTED = 500;
/** How many guests a search looks at. */
const MAX_SEARCHED = 1_000;

const KEPT = `g.status IN ('confirmed', 'completed') AND g.no_show_at IS NULL`;

const counted = (b: string): string => `
  SELECT count(*)::int AS counted, count(*) FILTER (WHERE ${KEPT})::int AS bookings,
         count(*) FILTER (WHERE g.no_show_at IS NOT NULL)::int AS no_shows,
         max(g.start_at) FILTER (WHERE ${KEPT} AND g.start_at <= now()) AS last_visit,
         min(g.start_at) FILTER (WHERE ${KEPT} AND g.start_at > now()) AS next_visit,
         array_agg(g.id) AS ids
  FROM (SELECT * FROM bookings g
        WHERE g.workspace_id = $1 AND ${isGuest('g', keyOf(b))} AND g.published_at IS NOT NULL
        ORDER BY g.start_at DESC, g.id DESC LIMIT ${MAX_COUNTED}) g`;

const SPENT = `
  SELECT coalesce(json_agg(json_build_object('currency', s.currency, 'amount_minor', s.amount_minor)
           ORDER BY s.amount_minor DESC), '[]') AS spent
  FROM (SELECT p.currency, sum(p.amount_minor - p.refunded_minor - p.disputed_minor)::bigint AS amount_minor
        FROM payments p WHERE p.booking_id = ANY (f.ids) AND p.kind <> 'refund' AND p.status <> 'failed'
        GROUP BY p.currency HAVING sum(p.amount_minor - p.refunded_minor - p.disputed_minor) > 0) s`;

/**
 * The guests of a workspace, each once, by the start of their latest booking, latest first. `q`: words of a
 * guest's name or address or of what their documents print; `email`: the guest with this address, in any
 * spelling. Erased guests are in no list.
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
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = [
    'b.workspace_id = $1',
    'b.published_at IS NOT NULL',
    'b.guest_email IS NOT NULL',
    // The index leads to the guest's next booking: one step, however many they have.
    `NOT EXISTS (SELECT FROM bookings later WHERE later.workspace_id = $1 AND ${isGuest('later', keyOf('b'))}
       AND later.published_at IS NOT NULL AND (later.start_at, later.id) > (b.start_at, b.id))`,
  ];
  if (filter.email !== undefined) conditions.push(isGuest('b', bind(addressKey(filter.email))));
  if (filter.q !== undefined)
    conditions.push(`${keyOf('b')} IN (SELECT DISTINCT ${keyOf('b')} FROM bookings b
       WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL
         AND ${containsWords(GUEST_TEXT, filter.q, bind)}
       LIMIT ${MAX_SEARCHED})`);
  if (filter.after) {
    const { start_at, id } = filter.after;
    conditions.push(`(b.start_at, b.id) < (${bind(start_at)}::timestamptz, ${bind(id)})`);
  }
  return many<GuestRow>(
    tx,
    `SELECT b.id, b.start_at, b.guest_name AS name, b.guest_email AS email, f.counted, f.bookings, f.no_shows,
      f.last_visit,
            f.next_visit, m.spent
     FROM (SELECT b.* FROM bookings b WHERE ${conditions.join(' AND ')}
           ORDER BY b.start_at DESC, b.id DESC LIMIT ${bind(filter.limit)}) b
     CROSS JOIN LATERAL (${counted('b')}) f
     CROSS JOIN LATERAL (${SPENT}) m
     ORDER BY b.start_at DESC, b.id DESC`,
    params,
  );
}
