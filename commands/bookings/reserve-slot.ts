import { addressKey } from '../../db/address.js';
import type { CreatePlan } from '../../domain/booking-create.js';
import { BOOKING_DETAILS } from '../../domain/booking-details.js';
import { slotUnavailable } from '../../domain/slots.js';
import { newId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import { columnParameters } from '../../db/column-parameters.js';
import { Booking, BookingRequest } from '../../db/entities/bookings.js';
import { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { assertCredit } from '../billing/account-credit.js';
import { payerOf } from '../../db/queries/billing/card.js';
import type { StoredRoom } from '../../db/queries/bookings/create.js';
import { spendHourCredits } from './hour-credits.js';
import { assertFewUnpaid } from './unpaid-bookings.js';

/*
 * The slot is claimed here, in the API's own transaction, before Temporal is called. One insert under the exclusion
 * constraint costs a fraction of a workflow start, so of 200 creates for one slot, 199 are refused at the cost of a few
 * statements and start no workflow (`npm run bench` prints the ratio).
 */

/** A planned create under its idempotency key. */
export interface Reservation extends CreatePlan<StoredRoom> {
  workspace_id: string;
  idempotency_key: string;
  /** SHA-256 of the logical body, hex. */
  fingerprint: string;
  /** How many unpaid bookings the member may have, this one included; null for no limit. */
  max_unpaid: number | null;
}

const LOCK_ROOM = { name: 'lock_room', text: `SELECT FROM rooms WHERE id = $1 FOR NO KEY UPDATE` };

const REQUEST = columnParameters(
  BookingRequest,
  ['booking_id', 'workspace_id', 'idempotency_key', 'fingerprint'],
  4,
);

/**
 * Binds the key and checks the slot in one statement: a request that comes too late is refused here, without an
 * exception. `$1`: the room, `$2` and `$3`: the time.
 */
const BIND_KEY = {
  name: 'bind_key',
  text: `WITH bound AS (
      INSERT INTO booking_requests (${REQUEST.columns}) VALUES (${REQUEST.parameters})
      ON CONFLICT (workspace_id, idempotency_key) WHERE state <> 'failed' DO NOTHING
      RETURNING booking_id
    ), slot AS (
      SELECT id, tstzrange($2, $3) AS during,
             tstzrange($2, $3::timestamptz + turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms WHERE id = $1
    )
    SELECT EXISTS (SELECT FROM bound) AS bound,
           EXISTS (SELECT FROM slot JOIN slot_claims c ON c.room_id = slot.id AND c.during && slot.occupies)
             AS booked,
           EXISTS (SELECT FROM slot JOIN blackouts o ON o.room_id = slot.id AND o.during && slot.during) AS blackout`,
};

const BOOKING = columnParameters(Booking, [
  'id',
  'workspace_id',
  'room_id',
  'start_at',
  'end_at',
  'member_id',
  'guest_email',
  'guest_address',
  'guest_name',
  'company_id',
  ...BOOKING_DETAILS,
  'currency',
  'net_minor',
  'tax_minor',
  'price_minor',
  'tax_code',
  'tax_rate_bps',
  'price_per_hour_minor',
  'discount_percent',
  'hour_credits_used',
  'hour_credit_grant',
  'hold_seconds',
  'account_days',
]);

const CHECKOUT = columnParameters(
  Checkout,
  [
    'id',
    'workspace_id',
    'booking_id',
    'account_id',
    'currency',
    'amount_minor',
    'description',
    'ordinal',
    'session_expires_at',
  ],
  BOOKING.next,
);

const RESERVE = {
  name: 'reserve',
  text: `WITH booking AS (
      INSERT INTO bookings (${BOOKING.columns}, occupies)
      SELECT ${BOOKING.parameters}, tstzrange(${BOOKING.of('start_at')},
               ${BOOKING.of('end_at')}::timestamptz + r.turnaround_minutes * interval '1 minute')
      FROM rooms r
      WHERE r.id = ${BOOKING.of('room_id')}
      RETURNING id, room_id, occupies
    ), claim AS (
      INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM booking
    )
    INSERT INTO checkouts (${CHECKOUT.columns}) SELECT ${CHECKOUT.parameters} WHERE ${CHECKOUT.of('id')}::text IS NOT NULL`,
};

/** The canonical form of an address; null for one in ASCII, of which it is the written one in lower case. */
const canonicalIfOther = (email: string): string | null =>
  /[^\x21-\x7e]/.test(email) ? addressKey(email) : null;

/**
 * Stores the request, the booking (unpublished), its slot claim and the checkout to open. Returns the booking's id, or
 * null if another request has bound the key in the meantime.
 * Errors: 409 `slot_unavailable`, `credit_limit_exceeded`, `too_many_unpaid_bookings`,
 * `HourCreditsExhausted`; then nothing is stored and the key stays free.
 */
export async function reserveSlot(tx: Tx, reservation: Reservation): Promise<string | null> {
  const id = newId('bk');
  const { workspace_id, idempotency_key, room, start_at, end_at, price, checkout } = reservation;
  // The room's lock serializes this booking with concurrent bookings and blackouts of the room: the later one sees the
  // earlier. Without it, two inserts of overlapping claims would wait for each other under the exclusion constraint, and
  // one would end as a deadlock instead of a conflict. The lock is a separate statement, so that the next one sees what
  // was committed during the wait.
  await execute(tx, LOCK_ROOM, [room.id]);
  const fingerprint = Buffer.from(reservation.fingerprint, 'hex');
  const { bound, booked, blackout } = await one<{ bound: boolean; booked: boolean; blackout: boolean }>(
    tx,
    BIND_KEY,
    [
      room.id,
      start_at,
      end_at,
      ...REQUEST.values({ booking_id: id, workspace_id, idempotency_key, fingerprint }),
    ],
  );
  if (!bound) return null;
  if (blackout) throw slotUnavailable('blackout');
  if (booked) throw slotUnavailable('booked');
  if (reservation.max_unpaid !== null && checkout)
    await assertFewUnpaid(tx, reservation.member_id!, reservation.max_unpaid);
  const { hour_credits_used } = reservation;
  const hour_credit_grant =
    hour_credits_used > 0 ? await spendHourCredits(tx, reservation.member_id!, hour_credits_used) : null;
  const { currency, tax_code, price_per_hour_minor } = room;
  const { company_id, member_id } = reservation;
  if (reservation.account_days !== null) {
    await assertCredit(tx, payerOf(company_id, member_id!), {
      workspace_id,
      currency,
      amount_minor: price.total_minor,
    });
  }
  await execute(tx, RESERVE, [
    ...BOOKING.values({
      ...reservation,
      id,
      room_id: room.id,
      guest_email: reservation.guest?.email ?? null,
      guest_address: reservation.guest && canonicalIfOther(reservation.guest.email),
      guest_name: reservation.guest?.name ?? null,
      currency,
      net_minor: price.net_minor,
      tax_minor: price.tax_minor,
      price_minor: price.total_minor,
      tax_code,
      price_per_hour_minor,
      discount_percent: String(reservation.discount_percent),
      hour_credit_grant,
    }),
    ...CHECKOUT.values(
      checkout && {
        ...checkout,
        id: newId('chk'),
        workspace_id,
        booking_id: id,
        ordinal: 1,
        currency,
        amount_minor: price.total_minor,
      },
    ),
  ]);
  return id;
}
