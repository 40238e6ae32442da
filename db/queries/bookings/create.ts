import type { CreateFacts } from '../../../domain/bookings/create.js';
import { addressKey } from '../../address.js';
import { one } from '../../query.js';
import type { Room } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';

/** The current state of a create request with the same idempotency key. */
export interface KnownRequest {
  booking_id: string;
  state: 'in_flight' | 'published';
  /** SHA-256 (hex) of the request with aliases resolved and defaults applied. */
  fingerprint: string;
}

/** The fields of a room that creating a booking reads. */
export type StoredRoom = Omit<Room, 'created_at' | 'updated_at'>;

/** Everything that creating a booking depends on, read in one statement. */
export interface CreateContext extends CreateFacts<StoredRoom> {
  known: KnownRequest | null;
  /** Abandoned reservations that hold the slot or requested extras, or have the same payer or key. */
  abandoned: string[];
}

export interface CreateLookup {
  workspace_id: string;
  /** Null for a quote. */
  idempotency_key: string | null;
  room_id: string;
  member_id: string | null;
  start_at: Date;
  end_at: Date;
  extras?: { extra_id: string }[];
  guest: { email: string } | null;
  discount_code?: string;
}

/**
 * `$1`: the workspace, `$2`: the room, `$3`: the member, `$4` and `$5`: the time, `$6`: the key, `$7`: the
 * ids of extras, `$8`: a code, `$9`: the guest's canonical address. Other bookings' claims on the extras at
 * that time, and uses of the code, are counted without those of abandoned reservations.
 */
const CREATE_CONTEXT = {
  name: 'create_context',
  text: `WITH slot AS (
      SELECT r.*, tstzrange($4, $5::timestamptz + r.turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms r WHERE r.id = $2 AND r.workspace_id = $1
    ), overlapping AS (
      SELECT bookings.id, is_abandoned(bookings) AS abandoned, of_part
      FROM slot, LATERAL (
        SELECT booking_id, false AS of_part FROM slot_claims c WHERE c.room_id = slot.id
          AND c.during && slot.occupies
        UNION ALL
        SELECT DISTINCT c.booking_id, true FROM part_claims_of(slot.id, slot.occupies) c
      ) AS claims
      JOIN bookings ON bookings.id = claims.booking_id
    ), member AS (
      SELECT * FROM members WHERE id = $3 AND workspace_id = $1
    ), of_payer AS (
      SELECT bookings.* FROM member, bookings
      WHERE bookings.workspace_id = $1 AND is_abandoned(bookings)
        AND (bookings.member_id = member.id OR bookings.company_id = member.company_id)
    ), claims AS (
      SELECT c.booking_id, is_abandoned(b) AS abandoned FROM extra_claims c
        JOIN bookings b ON b.id = c.booking_id
      WHERE c.extra_id = ANY ($7) AND c.during && tstzrange($4, $5)
    ), of_key AS (
      SELECT q.booking_id, q.state, encode(q.fingerprint, 'hex') AS fingerprint,
             EXISTS (SELECT FROM bookings b WHERE b.id = q.booking_id AND is_abandoned(b)) AS abandoned
      FROM booking_requests q
      WHERE q.workspace_id = $1 AND q.idempotency_key = $6 AND q.state <> 'failed'
    ), given_up AS (
      SELECT u.booking_id FROM discounts d JOIN discount_redemptions u ON u.discount_id = d.id
      JOIN bookings b ON b.id = u.booking_id
      WHERE d.workspace_id = $1 AND d.code = $8 AND num_nonnulls(d.max_uses, d.max_uses_per_payer) > 0
        AND b.workspace_id = $1 AND is_abandoned(b)
    )
    SELECT jsonb_build_object('processor_status', w.processor_status, 'processor_account_id',
             w.processor_account_id, 'recovering_since', recovering_since(w.id), 'checkout_hold_seconds',
               w.checkout_hold_seconds, 'tax_codes', w.tax_codes)
             AS workspace,
           (SELECT to_jsonb(slot) - '{occupies,created_at,updated_at}'::text[] FROM slot) AS room,
           (SELECT jsonb_build_object('id', m.id, 'tier', m.tier, 'status', m.status, 'company_id',
             m.company_id,
                                      'hour_credit_balance', m.hour_credit_balance + (
                                        SELECT coalesce(sum(hour_credits_used), 0) FROM of_payer p
                                        WHERE p.member_id = m.id
                                          AND p.hour_credit_grant = m.hour_credit_grants),
                                      'payment_terms',
                                      CASE WHEN mc.id IS NULL THEN m.payment_terms ELSE mc.payment_terms END)
            FROM member m LEFT JOIN companies mc ON mc.id = m.company_id) AS member,
           (SELECT jsonb_build_object('booking_id', booking_id, 'state', state, 'fingerprint', fingerprint)
            FROM of_key) AS known,
           EXISTS (SELECT FROM overlapping WHERE NOT abandoned AND NOT of_part) AS booked,
           EXISTS (SELECT FROM overlapping WHERE NOT abandoned AND of_part) AS part_booked,
           coalesce((SELECT array_agg(DISTINCT id) FROM (
             SELECT id FROM overlapping WHERE abandoned UNION SELECT id FROM of_payer
             UNION SELECT booking_id FROM claims WHERE abandoned UNION SELECT booking_id
               FROM given_up UNION SELECT booking_id FROM of_key WHERE abandoned) held), '{}')
             AS abandoned,
           coalesce((
             SELECT jsonb_agg(to_jsonb(x) - '{created_at,updated_at}'::text[] || jsonb_build_object(
               'taken', extra_taken(x.id, tstzrange($4, $5), ARRAY(SELECT booking_id FROM claims
                 WHERE abandoned))))
             FROM extras x WHERE x.id = ANY ($7) AND x.workspace_id = $1), '[]') AS extras,
           (SELECT jsonb_build_object('id', d.id, 'code', d.code, 'percent', d.percent, 'amount_minor',
             d.amount_minor,
              'currency', d.currency, 'room_ids', to_jsonb(d.room_ids), 'audience', d.audience,
              'valid_from', d.valid_from, 'valid_until', d.valid_until, 'max_uses', d.max_uses,
              'max_uses_per_payer', d.max_uses_per_payer, 'archived', d.archived,
              'used', CASE WHEN d.max_uses IS NULL THEN 0
                ELSE discount_uses(d.id, ARRAY(SELECT booking_id FROM given_up)) END,
              'used_by_payer', CASE WHEN d.max_uses_per_payer IS NULL THEN 0
                ELSE discount_uses_of(d.id, $3, $9, ARRAY(SELECT booking_id FROM given_up)) END)
            FROM discounts d WHERE d.workspace_id = $1 AND d.code = $8) AS discount,
           EXISTS (SELECT FROM slot WHERE has_blackout(slot.id, tstzrange($4, $5))) AS blackout
    FROM workspaces w WHERE w.id = $1`,
};

/** Reads everything that creating a booking depends on. */
export function findCreateContext(tx: Tx, lookup: CreateLookup): Promise<CreateContext> {
  const { extras = [], discount_code, guest } = lookup;
  return one<CreateContext>(tx, CREATE_CONTEXT, [
    lookup.workspace_id,
    lookup.room_id,
    lookup.member_id,
    lookup.start_at,
    lookup.end_at,
    lookup.idempotency_key,
    extras.map(({ extra_id }) => extra_id),
    discount_code ?? null,
    guest && addressKey(guest.email),
  ]);
}
