import { addressKey, canonicalIfOther } from '../../db/address.js';
import type { CreatePlan } from '../../domain/bookings/create.js';
import type { MemberActor } from '../../domain/bookings/change.js';
import type { BookingSource, EnteredDetails } from '../../domain/bookings/origin.js';
import { discountUnavailable, type DiscountReason } from '../../domain/discounts/code.js';
import { shortageError } from '../../domain/extras/extras.js';
import { discountIn, extrasIn } from '../../domain/rates/price-lines.js';
import { slotUnavailable } from '../../domain/bookings/slots.js';
import { newId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { assertCredit } from '../invoices/account-credit.js';
import { memberPayer } from '../../db/queries/payments/card.js';
import type { StoredRoom } from '../../db/queries/bookings/create.js';
import { spendHourCredits } from './hour-credits.js';
import { assertFewUnpaid } from './unpaid-bookings.js';

/* The slot is claimed here, in the API's own transaction, before Temporal is called. One insert under
   the exclusion constraint costs a fraction of a workflow start. Of 200 concurrent creates for one slot,
   199 are refused at the cost of a few statements and start no workflow. */

/** A planned create under its idempotency key. */
export interface Reservation extends CreatePlan<StoredRoom> {
  workspace_id: string;
  idempotency_key: string;
  /** SHA-256 (hex) of the request with aliases resolved and defaults applied. */
  fingerprint: string;
  /** The maximum number of unpaid bookings of the member, including this one; null for no limit. */
  max_unpaid: number | null;
  source: BookingSource;
  /** True for staff, who learn why a code cannot be used. */
  by_staff: boolean;
  entered: EnteredDetails | null;
  /** Until when a free booking of a public guest waits for its link to be opened; null for other bookings. */
  confirm_until: Date | null;
  /** Who requests it in the dashboard; null for other bookings. */
  actor: MemberActor | null;
}

const LOCK_ROOM = { name: 'lock_room', text: `SELECT FROM rooms WHERE id = $1 FOR NO KEY UPDATE` };
const LOCK_LEAVES = {
  name: 'lock_leaves',
  text: `SELECT FROM rooms WHERE id = ANY (ARRAY(SELECT with_leaves(ARRAY[$1::uuid]))) ORDER BY id
    FOR NO KEY UPDATE`,
};

/**
 * The same for a booking with extras (`$2`) or a code (`$3`). Bookings in any room compete for extras with a
 * stock and codes with a limit, so these are locked as well. The counts ensure the order of locks: room,
 * extras, code.
 */
const LOCK_ROOM_AND_MORE = {
  name: 'lock_room_and_more',
  text: `WITH room AS MATERIALIZED (SELECT id FROM rooms WHERE id = $1 FOR NO KEY UPDATE),
    extra AS MATERIALIZED (
      SELECT id FROM extras WHERE id = ANY ($2) AND stock IS NOT NULL AND EXISTS (SELECT FROM room)
      ORDER BY id FOR NO KEY UPDATE
    ), code AS MATERIALIZED (
      SELECT id FROM discounts WHERE id = $3 AND num_nonnulls(max_uses, max_uses_per_payer) > 0
        AND (SELECT count(*) FROM extra) >= 0
      FOR NO KEY UPDATE
    )
    SELECT (SELECT count(*) FROM room) AS rooms, (SELECT count(*) FROM extra) AS extras, (SELECT count(*)
      FROM code) AS codes`,
};

/**
 * Binds the key and checks the slot in one statement: a request that is too late is refused here, without an
 * exception. `$1`: the room, `$2` and `$3`: the time, `$9` and `$10`: extras and their quantities, of which
 * too few may be left, `$11`: a code that may be used up, `$12` and `$13`: the payer.
 */
const BIND_KEY = {
  name: 'bind_key',
  text: `WITH bound AS (
      INSERT INTO booking_requests (booking_id, workspace_id, idempotency_key, fingerprint, actor)
      VALUES ($4, $5, $6, $7, $8)
      ON CONFLICT (workspace_id, idempotency_key) WHERE state <> 'failed' DO NOTHING
      RETURNING booking_id
    ), slot AS (
      SELECT id, archived, tstzrange($2, $3) AS during,
             tstzrange($2, $3::timestamptz + turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms WHERE id = $1
    )
    SELECT EXISTS (SELECT FROM bound) AS bound,
           EXISTS (SELECT FROM slot WHERE archived) AS archived,
           EXISTS (SELECT FROM slot JOIN slot_claims c ON c.room_id = slot.id AND c.during && slot.occupies)
             AS booked,
           EXISTS (SELECT FROM slot, part_claims_of(slot.id, slot.occupies)) AS part_booked,
           EXISTS (SELECT FROM slot WHERE has_blackout(slot.id, slot.during)) AS blackout,
           (SELECT jsonb_build_object('extra_id', e.id, 'available', greatest(0, e.stock - e.taken))
            FROM (SELECT x.id, x.stock, wanted.quantity, extra_taken(x.id, tstzrange($2, $3), '{}') AS taken
                  FROM unnest($9::uuid[], $10::integer[]) AS wanted (id, quantity)
                  JOIN extras x ON x.id = wanted.id AND x.workspace_id = $5
                  WHERE x.stock IS NOT NULL) e
            WHERE e.stock - e.taken < e.quantity ORDER BY e.id LIMIT 1) AS short,
           (SELECT CASE WHEN d.archived THEN 'archived'
              WHEN CASE WHEN d.max_uses IS NOT NULL THEN discount_uses(d.id, '{}') >= d.max_uses END
                THEN 'used_up'
              WHEN CASE WHEN d.max_uses_per_payer IS NOT NULL
                THEN discount_uses_of(d.id, $12, $13, '{}') >= d.max_uses_per_payer END
                THEN 'used_up_by_payer' END
            FROM discounts d WHERE d.id = $11) AS discount_reason`,
};

/** The result of `BIND_KEY`. `short`: an extra of which too few are left. */
interface Found {
  bound: boolean;
  /** True if the room has been archived since it was read. */
  archived: boolean;
  booked: boolean;
  part_booked: boolean;
  blackout: boolean;
  short: { extra_id: string; available: number } | null;
  /** Why the code can no longer be used; null if it can. */
  discount_reason: DiscountReason | null;
}

/**
 * Stores a booking (`$1`) with its slot, its checkout (`$2`) unless that is null, its extras with their
 * quantities (`$3` and `$4`), and its use of a code (`$5`).
 */
const RESERVE = {
  name: 'reserve',
  text: `WITH booking AS (
      INSERT INTO bookings (
        id, workspace_id, room_id, start_at, end_at, member_id, guest_email, guest_address, guest_name,
        source, guest_billing, answers, locale, terms_version, terms_accepted_at, confirm_until, company_id,
        attendees, notes, currency, net_minor, tax_minor, price_minor, tax_code, tax_rate_bps,
        price_per_hour_minor, discount_percent,
        pricing, hour_credits_used, hour_credit_grant, hold_seconds, account_days, metadata, occupies)
      SELECT
        b.id, b.workspace_id, b.room_id, b.start_at, b.end_at, b.member_id, b.guest_email, b.guest_address,
        b.guest_name, b.source, b.guest_billing, b.answers, b.locale, b.terms_version, b.terms_accepted_at,
        b.confirm_until, b.company_id, b.attendees, b.notes, b.currency, b.net_minor, b.tax_minor,
        b.price_minor, b.tax_code, b.tax_rate_bps, b.price_per_hour_minor, b.discount_percent, b.pricing,
        b.hour_credits_used, b.hour_credit_grant, b.hold_seconds, b.account_days, b.metadata,
        tstzrange(b.start_at, b.end_at + r.turnaround_minutes * interval '1 minute')
      FROM jsonb_populate_record(NULL::bookings, $1::jsonb) b JOIN rooms r ON r.id = b.room_id
      RETURNING id, room_id, start_at, end_at, occupies
    ), claim AS (
      INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM booking
    ), extra_claim AS (
      INSERT INTO extra_claims (booking_id, extra_id, during, quantity)
      SELECT booking.id, wanted.id, tstzrange(booking.start_at, booking.end_at), wanted.quantity
      FROM booking, unnest($3::uuid[], $4::integer[]) AS wanted (id, quantity)
    ), redemption AS (
      INSERT INTO discount_redemptions (booking_id, discount_id)
      SELECT id, $5::uuid FROM booking WHERE $5::uuid IS NOT NULL
    )
    INSERT INTO checkouts (
      id, workspace_id, booking_id, account_id, currency, amount_minor, description, ordinal,
        session_expires_at)
    SELECT
      c.id, c.workspace_id, c.booking_id, c.account_id, c.currency, c.amount_minor, c.description, c.ordinal,
      c.session_expires_at
    FROM jsonb_populate_record(NULL::checkouts, $2::jsonb) c WHERE c.id IS NOT NULL`,
};

/**
 * Stores the request, the booking (unpublished), its slot claim and the checkout to open. Returns the
 * booking's id, or null if another request has bound the key in the meantime. Errors: 409 `slot_unavailable`,
 * `extra_unavailable`, `discount_unavailable`, `credit_limit_exceeded`, `too_many_unpaid_bookings`,
 * `HourCreditsExhausted`. If it fails, nothing is stored and the key stays free.
 */
export async function reserveSlot(tx: Tx, reservation: Reservation): Promise<string | null> {
  const id = newId('bk');
  const { workspace_id, idempotency_key, actor, room, start_at, end_at, price, checkout } = reservation;
  // The room's lock serializes this booking with concurrent bookings and blackouts of the room, so that the
  // later one sees the earlier one. Without it, two inserts of overlapping claims would wait for each other
  // under the exclusion constraint, and one would end in a deadlock instead of a conflict. The lock is a
  // separate statement, so that the next one sees what was committed during the wait.
  const extras = extrasIn(reservation);
  const discountId = discountIn(reservation)?.discount_id ?? null;
  const hasMore = extras.length > 0 || discountId !== null;
  const extraIds = extras.map(({ extra_id }) => extra_id);
  const wanted = [extraIds, extras.map(({ quantity }) => quantity), discountId];
  const payer = [reservation.member_id, reservation.guest && addressKey(reservation.guest.email)];
  if (room.parts.length > 0) await execute(tx, LOCK_LEAVES, [room.id]);
  if (hasMore) await execute(tx, LOCK_ROOM_AND_MORE, [room.id, extraIds, discountId]);
  else await execute(tx, LOCK_ROOM, [room.id]);
  const fingerprint = Buffer.from(reservation.fingerprint, 'hex');
  const { bound, archived, booked, part_booked, blackout, short, discount_reason } = await one<Found>(
    tx,
    BIND_KEY,
    [room.id, start_at, end_at, id, workspace_id, idempotency_key, fingerprint, actor, ...wanted, ...payer],
  );
  if (!bound) return null;
  if (archived) throw slotUnavailable('closed');
  if (blackout) throw slotUnavailable('blackout');
  if (booked) throw slotUnavailable('booked');
  if (part_booked) throw slotUnavailable('part_booked');
  if (short) throw shortageError(extras, short);
  if (discount_reason) throw discountUnavailable(discount_reason, reservation);
  if (reservation.max_unpaid !== null && checkout)
    await assertFewUnpaid(tx, reservation.member_id!, reservation.max_unpaid);
  const { hour_credits_used } = reservation;
  const hour_credit_grant =
    hour_credits_used > 0 ? await spendHourCredits(tx, reservation.member_id!, hour_credits_used) : null;
  const { currency, tax_code, price_per_hour_minor } = room;
  const { company_id, member_id, entered } = reservation;
  if (reservation.account_days !== null) {
    await assertCredit(tx, memberPayer(company_id, member_id!), {
      workspace_id,
      currency,
      amount_minor: price.total_minor,
    });
  }
  const booking = {
    ...reservation,
    id,
    room_id: room.id,
    guest_email: reservation.guest?.email ?? null,
    guest_address: reservation.guest && canonicalIfOther(reservation.guest.email),
    guest_name: reservation.guest?.name ?? null,
    guest_billing: entered?.billing ?? null,
    answers: entered?.answers ?? null,
    locale: reservation.guest?.locale ?? null,
    terms_version: entered?.terms_version ?? null,
    terms_accepted_at: entered?.terms_version ? new Date() : null,
    currency,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    price_minor: price.total_minor,
    tax_code,
    price_per_hour_minor,
    hour_credit_grant,
  };
  const opened = checkout && {
    ...checkout,
    id: newId('chk'),
    workspace_id,
    booking_id: id,
    ordinal: 1,
    currency,
    amount_minor: price.total_minor,
  };
  await execute(tx, RESERVE, [JSON.stringify(booking), opened && JSON.stringify(opened), ...wanted]);
  return id;
}
