import { slotUnavailable } from '../../../domain/slots.js';
import type { CreateFacts, CreatePlan } from '../../../domain/booking-create.js';
import type { Room } from '../../entities/index.js';
import { newId } from '../../ids.js';
import { runPrepared } from '../../prepared.js';
import type { Tx } from '../../transaction.js';
import { returnHourCredits, spendHourCredits } from './hour-credits.js';

/**
 * The way from a create request to a held slot.
 *
 * The slot is claimed here, in the API's own transaction, before Temporal hears of the booking. One insert under
 * the exclusion constraint costs a fraction of a workflow start, so of 200 creates for one slot 199 are refused
 * for the price of a few statements and leave no workflow behind (`npm run bench` prints the ratio). What a
 * crash leaves between the claim and the workflow's start is abandoned after ABANDONED_AFTER_SECONDS: the next
 * create for the place, a retry with the same key or the self-heal job puts it right, whichever comes first.
 */
export const ABANDONED_AFTER_SECONDS = 60;

/** True of a reservation, in SQL over `bookings`, whose create died before anything came of it. */
export const ABANDONED = `bookings.published_at IS NULL AND bookings.created_at < now() - interval '${ABANDONED_AFTER_SECONDS} seconds'`;

/** A create request under its idempotency key, as it stands. */
export interface KnownRequest {
  booking_id: string;
  state: 'in_flight' | 'published';
  /** SHA-256 of the logical body, hex. */
  fingerprint: string;
}

/** Everything that decides about a create, read in one statement. */
export interface CreateContext extends CreateFacts<Room> {
  known: KnownRequest | null;
  /** Overlapping claims whose create died before its workflow began. */
  abandoned: string[];
}

export interface CreateLookup {
  workspace_id: string;
  idempotency_key: string;
  room_id: string;
  member_id: string | null;
  start_at: Date;
  end_at: Date;
}

const CREATE_CONTEXT = {
  name: 'create_context',
  text: `WITH place AS (
      SELECT r.*, tstzrange($4, $5::timestamptz + r.turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms r WHERE r.id = $2 AND r.workspace_id = $1
    ), in_the_way AS (
      SELECT bookings.id, (${ABANDONED}) AS abandoned
      FROM place JOIN slot_claims c ON c.room_id = place.id AND c.during && place.occupies
      JOIN bookings ON bookings.id = c.booking_id
    )
    SELECT jsonb_build_object('processor_status', w.processor_status, 'processor_account_id',
             w.processor_account_id, 'checkout_hold_seconds', w.checkout_hold_seconds, 'tax_codes', w.tax_codes)
             AS workspace,
           (SELECT to_jsonb(place) - 'occupies' FROM place) AS room,
           (SELECT jsonb_build_object('id', m.id, 'tier', m.tier, 'status', m.status, 'company_id', m.company_id,
                                      'token_balance', m.token_balance)
            FROM members m WHERE m.id = $3 AND m.workspace_id = $1) AS member,
           (SELECT jsonb_build_object('booking_id', q.booking_id, 'state', q.state,
                                      'fingerprint', encode(q.fingerprint, 'hex'))
            FROM booking_requests q
            WHERE q.workspace_id = $1 AND q.idempotency_key = $6 AND q.state <> 'failed') AS known,
           EXISTS (SELECT FROM in_the_way WHERE NOT abandoned) AS booked,
           coalesce((SELECT array_agg(id) FROM in_the_way WHERE abandoned), '{}') AS abandoned,
           EXISTS (SELECT FROM place JOIN blackouts o ON o.room_id = place.id
                   AND o.during && tstzrange($4, $5)) AS blackout
    FROM workspaces w WHERE w.id = $1`,
};

/** Reads what a create is decided on. */
export async function findCreateContext(tx: Tx, lookup: CreateLookup): Promise<CreateContext> {
  const [context] = await runPrepared(tx, CREATE_CONTEXT, [
    lookup.workspace_id,
    lookup.room_id,
    lookup.member_id,
    lookup.start_at,
    lookup.end_at,
    lookup.idempotency_key,
  ]);
  return context;
}

/** The state of a create request, or null for a key that is free. */
export async function findRequest(
  tx: Tx,
  workspaceId: string,
  idempotencyKey: string,
): Promise<KnownRequest | null> {
  const rows: KnownRequest[] = await tx.query(
    `SELECT booking_id, state, encode(fingerprint, 'hex') AS fingerprint FROM booking_requests
     WHERE workspace_id = $1 AND idempotency_key = $2 AND state <> 'failed'`,
    [workspaceId, idempotencyKey],
  );
  return rows[0] ?? null;
}

/** A planned create under its idempotency key. */
export interface Reservation extends CreatePlan<Room> {
  workspace_id: string;
  idempotency_key: string;
  /** SHA-256 of the request, hex. */
  fingerprint: string;
}

const LOCK_ROOM = { name: 'lock_room', text: `SELECT FROM rooms WHERE id = $1 FOR NO KEY UPDATE` };

/** Binds the key and looks at the place in one statement: a loser is refused here, without an exception. */
const BIND_KEY = {
  name: 'bind_key',
  text: `WITH bound AS (
      INSERT INTO booking_requests (booking_id, workspace_id, idempotency_key, fingerprint)
      VALUES ($1, $2, $3, decode($4, 'hex'))
      ON CONFLICT (workspace_id, idempotency_key) WHERE state <> 'failed' DO NOTHING
      RETURNING booking_id
    ), place AS (
      SELECT id, tstzrange($6, $7) AS during,
             tstzrange($6, $7::timestamptz + turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms WHERE id = $5
    )
    SELECT EXISTS (SELECT FROM bound) AS bound,
           EXISTS (SELECT FROM place JOIN slot_claims c ON c.room_id = place.id AND c.during && place.occupies)
             AS booked,
           EXISTS (SELECT FROM place JOIN blackouts o ON o.room_id = place.id AND o.during && place.during) AS blackout`,
};

const RESERVE = {
  name: 'reserve',
  text: `WITH booking AS (
      INSERT INTO bookings (id, workspace_id, room_id, start_at, end_at, occupies, member_id, guest_email,
                            guest_name, company_id, notes, attendees, currency, net_minor, tax_minor, price_minor,
                            tax_code, tax_rate_bps, price_per_hour_minor, discount_percent, hold_seconds,
                            tokens_used)
      SELECT $1, r.workspace_id, r.id, $3, $4::timestamptz,
             tstzrange($3, $4::timestamptz + r.turnaround_minutes * interval '1 minute'),
             $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $24
      FROM rooms r
      WHERE r.id = $2
      RETURNING id, room_id, workspace_id, occupies
    ), claim AS (
      INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM booking
    ), checkout AS (
      INSERT INTO checkouts (id, workspace_id, booking_id, account_id, currency, amount_minor, description,
                             session_expires_at)
      SELECT $20, workspace_id, id, $21, $11, $14, $22, $23 FROM booking WHERE $21::text IS NOT NULL
    )
    SELECT id FROM booking`,
};

/**
 * Stores the request, the booking (seen by nobody yet), its slot claim and the checkout to be opened. Returns the
 * booking's id, or null when another request has taken the key in the meantime.
 * Errors: 409 `slot_unavailable`, `TokensGone`; then nothing is stored and the key is as free as before.
 */
export async function reserveSlot(tx: Tx, reservation: Reservation): Promise<string | null> {
  const bookingId = newId('bk');
  const { room, price, checkout } = reservation;
  // The room's row stands between this booking and whatever else wants the room in the same instant, another
  // booking or a blackout: the later one sees the earlier. Two that insert overlapping claims at once would each
  // wait for the other under the exclusion constraint, and one would end as a deadlock, not as a conflict. The lock
  // comes in a statement of its own, so that the next one reads what the wait was for.
  await runPrepared(tx, LOCK_ROOM, [room.id]);
  const [{ bound, booked, blackout }] = await runPrepared(tx, BIND_KEY, [
    bookingId,
    reservation.workspace_id,
    reservation.idempotency_key,
    reservation.fingerprint,
    room.id,
    reservation.start_at,
    reservation.end_at,
  ]);
  if (!bound) return null;
  if (blackout) throw slotUnavailable('blackout');
  if (booked) throw slotUnavailable('booked');
  if (reservation.tokens_used > 0)
    await spendHourCredits(tx, reservation.member_id!, reservation.tokens_used);
  await runPrepared(tx, RESERVE, [
    bookingId,
    room.id,
    reservation.start_at,
    reservation.end_at,
    reservation.member_id,
    reservation.guest?.email ?? null,
    reservation.guest?.name ?? null,
    reservation.company_id,
    reservation.notes,
    reservation.attendees,
    room.currency,
    price.net_minor,
    price.tax_minor,
    price.total_minor,
    room.tax_code,
    reservation.tax_rate_bps,
    room.price_per_hour_minor,
    reservation.discount_percent,
    reservation.hold_seconds,
    newId('chk'),
    checkout?.account_id ?? null,
    checkout?.description ?? null,
    checkout?.session_expires_at ?? null,
    reservation.tokens_used,
  ]);
  return bookingId;
}

/**
 * Undoes a reservation that never got its checkout: the slot and the key are free again, and of the booking only
 * the failed request stays. Returns false for one that was published (or undone) meanwhile.
 */
export async function releaseReservation(tx: Tx, bookingId: string, failureCode: string): Promise<boolean> {
  const [released]: [{ id: string; member_id: string | null; tokens_used: number }[], number] =
    await tx.query(
      `DELETE FROM bookings WHERE id = $1 AND published_at IS NULL RETURNING id, member_id, tokens_used`,
      [bookingId],
    );
  if (!released[0]) return false;
  await returnHourCredits(tx, released[0]);
  await tx.query(
    `UPDATE booking_requests SET state = 'failed', failure_code = $2, finished_at = now() WHERE booking_id = $1`,
    [bookingId, failureCode],
  );
  await tx.query(
    `UPDATE checkouts SET state = 'abandoned', updated_at = now() WHERE booking_id = $1 AND state = 'opening'`,
    [bookingId],
  );
  return true;
}

/** Reservations whose create died before anything came of it; of all workspaces unless one is named. */
export async function findAbandonedReservations(tx: Tx, workspaceId?: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM bookings
     WHERE status = 'pending_payment' AND ${ABANDONED} AND ($1::text IS NULL OR workspace_id = $1)
     ORDER BY created_at LIMIT 1000`,
    [workspaceId ?? null],
  );
  return rows.map((row) => row.id);
}
