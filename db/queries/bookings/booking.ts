import type { Answer } from '../../../domain/bookings/origin.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { Audience } from '../../../domain/rates/rates.js';
import type { BookingStatus } from '../../../domain/states.js';
import { many, manyTexts, maybeOne } from '../../query.js';
import { Booking } from '../../entities/bookings.js';
import { referencesIn } from '../../../domain/bookings/reference.js';
import { searchWords } from '../../search.js';
import type { Tx } from '../../transaction.js';

/** A booking's row with the fields of its room that it needs. */
export type BookingRow = Booking & { room_name: string; time_zone: string; reminder_hours: number | null };

const FIND_BOOKING = {
  name: 'find_booking',
  text: `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
    FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1 AND b.workspace_id = $2
      AND b.published_at IS NOT NULL`,
};

/** Returns a published booking of a workspace, or null. */
export function findBooking(tx: Tx, workspaceId: string, id: string): Promise<BookingRow | null> {
  return maybeOne<BookingRow>(tx, FIND_BOOKING, [id, workspaceId]);
}

/** Returns published bookings of a workspace with these ids, by start. */
export function findBookings(tx: Tx, workspaceId: string, ids: string[]): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
      FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.id = ANY ($1) AND b.workspace_id = $2 AND b.published_at IS NOT NULL ORDER BY b.start_at, b.id`,
    [ids, workspaceId],
  );
}

/** Returns a booking by id alone, published or not, for the workflow that owns it. */
export function findBookingById(tx: Tx, id: string): Promise<BookingRow | null> {
  return maybeOne<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
    FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1`,
    [id],
  );
}

/** Returns for whom a booking is priced: its member, with the current tier, or a guest. */
export async function findBooker(
  tx: Tx,
  { workspace_id, member_id, company_id }: Pick<Booking, 'workspace_id' | 'member_id' | 'company_id'>,
): Promise<Audience> {
  const member = await maybeOne<Pick<Audience, 'tier'>>(
    tx,
    `SELECT tier FROM members WHERE id = $1 AND workspace_id = $2`,
    [member_id, workspace_id],
  );
  return { tier: member?.tier ?? null, company_id };
}

/** The changes of a booking that its run must follow. */
export interface ChangesOfBooking {
  /**
   * The oldest change whose charge has no known outcome yet, whether or not the change is still to be made.
   */
  unsettled_change: string | null;
  /** The change that waits for its payer; its times are JSON. */
  pending_change: { id: string; checkout_id: string; expires_at: string | null } | null;
  /** The checkout of a change that has ended, which must be closed. */
  abandoned_checkout: string | null;
}

const FIND_BOOKING_WITH_CHANGES = {
  name: 'find_booking_with_changes',
  text: `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours,
            (SELECT c.id FROM booking_changes c LEFT JOIN checkouts k ON k.charged_change_id = c.id
             WHERE c.booking_id = b.id AND (c.state = 'charging' OR k.state NOT IN ('paid', 'closed'))
             ORDER BY c.created_at, c.id LIMIT 1) AS unsettled_change,
            (SELECT jsonb_build_object('id', c.id, 'checkout_id', k.id, 'expires_at', c.expires_at)
             FROM booking_changes c JOIN checkouts k ON k.change_id = c.id
             WHERE c.booking_id = b.id AND c.state IN ('opening', 'pending')) AS pending_change,
            (SELECT k.id FROM booking_changes c JOIN checkouts k ON k.change_id = c.id
             WHERE c.booking_id = b.id AND k.state = 'abandoned' LIMIT 1) AS abandoned_checkout
     FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE b.id = $1`,
};

/** Returns a booking by id, published or not, with its changes that are not over. */
export const findBookingWithChanges = (tx: Tx, id: string): Promise<(BookingRow & ChangesOfBooking) | null> =>
  maybeOne(tx, FIND_BOOKING_WITH_CHANGES, [id]);

/** Every booking starts between these. */
export const EVER = new Date(0);
export const NEVER = new Date('9999-01-01T00:00:00Z');

export interface BookingFilter {
  workspace_id: string;
  from: Date;
  to: Date;
  status?: BookingStatus;
  /** Only no-shows (true), or none of them (false). */
  no_show?: boolean;
  /** Only those that hold their slot. */
  live?: boolean;
  room_id?: string;
  member_id?: string;
  company_id?: string;
  /** The caller, if they can only see their own bookings. */
  only_of?: string;
  reference?: string;
  metadata?: Metadata;
  /**
   * Divides the list at a time: bookings that start from then on or are among the running ones (`upcoming`),
   * or the others.
   */
  divided?: { at: Date; running: string[]; upcoming: boolean };
  /** A reference, or words of the guest's or member's name or email address. */
  q?: string;
  /** The last row of the previous page. */
  after?: { start_at: string; id: string };
  limit: number;
}

/**
 * Lists bookings that began before a time and are running, by start. Only live bookings have claims, so the
 * number of stored bookings does not matter.
 */
export const listRunning = (
  tx: Tx,
  workspaceId: string,
  before: Date,
): Promise<Pick<BookingRow, 'id' | 'start_at'>[]> =>
  many<Pick<BookingRow, 'id' | 'start_at'>>(
    tx,
    `SELECT b.id, b.start_at FROM bookings b
     WHERE b.published_at IS NOT NULL AND b.workspace_id = $1 AND b.start_at < $2 AND b.end_at > now()
       AND b.id = ANY (ARRAY(
         SELECT c.booking_id FROM rooms JOIN slot_claims c ON c.room_id = rooms.id AND c.during @> now()
         WHERE rooms.workspace_id = $1))
     ORDER BY b.start_at`,
    [workspaceId, before],
  );

const LIST_BOOKINGS = `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
     FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at >= $2 AND b.start_at < $3
       AND ($4::text IS NULL OR b.status = $4) AND ($5::uuid IS NULL OR b.room_id = $5)
       AND ($6::text IS NULL OR b.member_id = $6) AND ($7::uuid IS NULL OR b.company_id = $7)
       AND ($8::text IS NULL OR b.reference = $8)
       AND ($9::boolean IS NULL OR (b.no_show_at IS NOT NULL) = $9)
       AND (NOT $10 OR b.status IN ('pending_payment', 'confirmed'))
       AND ($11::text IS NULL OR b.member_id = $11)
       AND ($12::text[] IS NULL OR b.id = ANY (ARRAY(SELECT f.id FROM bookings_found($1, $12, $13, $14) f)))
       AND ($15::timestamptz IS NULL OR (b.start_at, b.id) > ($15, $16))
       AND has_metadata(b.metadata, $18)
       AND ($19::timestamptz IS NULL OR (b.start_at >= $19 OR b.id = ANY ($20)) = $21)
     ORDER BY b.start_at, b.id LIMIT $17`;

const LIST_LATEST_BOOKINGS = `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
     FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at >= $2 AND b.start_at < $3
       AND ($4::text IS NULL OR b.status = $4) AND ($5::uuid IS NULL OR b.room_id = $5)
       AND ($6::text IS NULL OR b.member_id = $6) AND ($7::uuid IS NULL OR b.company_id = $7)
       AND ($8::text IS NULL OR b.reference = $8)
       AND ($9::boolean IS NULL OR (b.no_show_at IS NOT NULL) = $9)
       AND (NOT $10 OR b.status IN ('pending_payment', 'confirmed'))
       AND ($11::text IS NULL OR b.member_id = $11)
       AND ($12::text[] IS NULL OR b.id = ANY (ARRAY(SELECT f.id FROM bookings_found($1, $12, $13, $14) f)))
       AND ($15::timestamptz IS NULL OR (b.start_at, b.id) < ($15, $16))
       AND has_metadata(b.metadata, $18)
       AND ($19::timestamptz IS NULL OR (b.start_at >= $19 OR b.id = ANY ($20)) = $21)
     ORDER BY b.start_at DESC, b.id DESC LIMIT $17`;

/** Lists published bookings that start in `[from, to)`, by start and id (docs/rules/bookings.md#list). */
export const listBookings = (tx: Tx, filter: BookingFilter): Promise<BookingRow[]> =>
  many<BookingRow>(tx, LIST_BOOKINGS, listParameters(filter));

/** Does the same as `listBookings`, but begins with the latest start. */
export const listLatestBookings = (tx: Tx, filter: BookingFilter): Promise<BookingRow[]> =>
  many<BookingRow>(tx, LIST_LATEST_BOOKINGS, listParameters(filter));

/** Does the same as `listBookings`, with all values as texts. */
export const listBookingTexts = (tx: Tx, filter: BookingFilter) =>
  manyTexts<BookingRow>(tx, LIST_BOOKINGS, listParameters(filter));

const listParameters = ({ after, limit, ...filter }: BookingFilter): unknown[] => [
  ...filterParameters(filter),
  after?.start_at ?? null,
  after?.id ?? null,
  limit,
  filter.metadata ?? null,
  ...dividedBy(filter),
];

/**
 * Lists the questions to which bookings of a filter have answers, in the order of their first booking, each
 * with the label with which it was last asked.
 */
export function listAnsweredQuestions(
  tx: Tx,
  filter: Omit<BookingFilter, 'after' | 'limit'>,
): Promise<Pick<Answer, 'id' | 'label'>[]> {
  return many<Pick<Answer, 'id' | 'label'>>(
    tx,
    `SELECT a ->> 'id' AS id, (array_agg(a ->> 'label' ORDER BY b.created_at DESC, b.id DESC))[1] AS label
     FROM bookings b, jsonb_array_elements(b.answers) a
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at >= $2 AND b.start_at < $3
       AND ($4::text IS NULL OR b.status = $4) AND ($5::uuid IS NULL OR b.room_id = $5)
       AND ($6::text IS NULL OR b.member_id = $6) AND ($7::uuid IS NULL OR b.company_id = $7)
       AND ($8::text IS NULL OR b.reference = $8)
       AND ($9::boolean IS NULL OR (b.no_show_at IS NOT NULL) = $9)
       AND (NOT $10 OR b.status IN ('pending_payment', 'confirmed'))
       AND ($11::text IS NULL OR b.member_id = $11)
       AND ($12::text[] IS NULL OR b.id = ANY (ARRAY(SELECT f.id FROM bookings_found($1, $12, $13, $14) f)))
       AND ($15::timestamptz IS NULL OR (b.start_at >= $15 OR b.id = ANY ($16)) = $17)
     GROUP BY a ->> 'id' ORDER BY min(b.created_at), a ->> 'id'`,
    [...filterParameters(filter), ...dividedBy(filter)],
  );
}

const dividedBy = ({ divided }: Pick<BookingFilter, 'divided'>): unknown[] => [
  divided?.at ?? null,
  divided?.running ?? null,
  divided?.upcoming ?? null,
];

/** Returns the parameters `$1` to `$14` of a filter. */
const filterParameters = (filter: Omit<BookingFilter, 'after' | 'limit'>): unknown[] => [
  filter.workspace_id,
  filter.from,
  filter.to,
  filter.status ?? null,
  filter.room_id ?? null,
  filter.member_id ?? null,
  filter.company_id ?? null,
  filter.reference ?? null,
  filter.no_show ?? null,
  filter.live ?? false,
  filter.only_of ?? null,
  ...soughtBy(filter.q),
];

/**
 * Returns the words of a `q`, and the first and last reference that it may be the start of; all null without
 * words.
 */
function soughtBy(q = ''): [words: (string | null)[] | null, first: string | null, last: string | null] {
  const words = searchWords(q);
  const range = words && referencesIn(q);
  return [words, range?.first ?? null, range?.last ?? null];
}

/**
 * Finds published bookings of a workspace by a reference or its start, or by words of the booker's name or
 * address; those nearest to now first.
 */
export function searchBookings(
  tx: Tx,
  filter: { workspace_id: string; q: string; only_of?: string; limit: number },
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
     FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND ($2::text IS NULL OR b.member_id = $2)
       AND ($3::text[] IS NULL OR b.id = ANY (ARRAY(SELECT f.id FROM bookings_found($1, $3, $4, $5) f)))
     ORDER BY abs(extract(epoch FROM b.start_at - now())), b.id LIMIT $6`,
    [filter.workspace_id, filter.only_of ?? null, ...soughtBy(filter.q), filter.limit],
  );
}

/**
 * Lists the bookings of rooms that are in the calendar of a period: live ones of any length, and completed
 * ones that started at most a day before.
 */
export function listCalendarBookings(
  tx: Tx,
  filter: { workspace_id: string; room_ids: string[]; from: Date; to: Date },
): Promise<BookingRow[]> {
  return many<BookingRow>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours
      FROM bookings b JOIN rooms r ON r.id = b.room_id
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at < $4 AND b.end_at > $3
       AND b.status IN ('pending_payment', 'confirmed', 'completed')
       AND b.id = ANY (ARRAY(
         SELECT booking_id FROM slot_claims WHERE room_id = ANY ($2) AND during && tstzrange($3, $4)
         UNION
         SELECT id FROM bookings WHERE room_id = ANY ($2) AND published_at IS NOT NULL
           AND start_at >= $3::timestamptz - interval '1 day' AND start_at < $4))
     ORDER BY b.start_at, b.id`,
    [filter.workspace_id, filter.room_ids, filter.from, filter.to],
  );
}

/** A booking in a calendar. `is_change`: room and time are those that an unpaid change holds for it. */
export type CalendarBooking = BookingRow & { is_change: boolean };

/**
 * Returns the slots that changes hold in addition to those of their bookings, until their difference is paid
 * or they end.
 */
export async function listSlotsOfChanges(
  tx: Tx,
  filter: { workspace_id: string; room_ids: string[]; from: Date; to: Date },
): Promise<CalendarBooking[]> {
  type Held = BookingRow & { place: { room_id: string; start_at: number; end_at: number } };
  const rows = await many<Held>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.reminder_hours, c.plan -> 'move' AS place
     FROM slot_claims s JOIN bookings b ON b.id = s.booking_id
     JOIN booking_changes c ON c.booking_id = b.id AND c.state IN ('charging', 'opening', 'pending')
     JOIN rooms r ON r.id = s.room_id
     WHERE b.workspace_id = $1 AND s.room_id = ANY ($2) AND s.during && tstzrange($3, $4)
       AND (s.room_id, s.during) IS DISTINCT FROM (b.room_id, b.occupies)
     ORDER BY s.during, b.id`,
    [filter.workspace_id, filter.room_ids, filter.from, filter.to],
  );
  return rows.map(({ place, ...booking }) => ({
    ...booking,
    room_id: place.room_id,
    start_at: new Date(place.start_at),
    end_at: new Date(place.end_at),
    is_change: true,
  }));
}
