import type { CreateFacts } from '../../../domain/booking-create.js';
import { one } from '../../query.js';
import type { Room } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';
import { recoveringSince } from '../workspaces/recovery.js';
import { ABANDONED } from './abandoned.js';

/** The current state of a create request with the same idempotency key. */
export interface KnownRequest {
  booking_id: string;
  state: 'in_flight' | 'published';
  /** SHA-256 of the logical body, hex. */
  fingerprint: string;
}

/** A room as a create reads it. */
export type StoredRoom = Omit<Room, 'created_at' | 'updated_at'>;

/** Everything that a create depends on, read in one statement. */
export interface CreateContext extends CreateFacts<StoredRoom> {
  known: KnownRequest | null;
  /** Abandoned reservations that hold the slot. */
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
}

const CREATE_CONTEXT = {
  name: 'create_context',
  text: `WITH slot AS (
      SELECT r.*, tstzrange($4, $5::timestamptz + r.turnaround_minutes * interval '1 minute') AS occupies
      FROM rooms r WHERE r.id = $2 AND r.workspace_id = $1
    ), overlapping AS (
      SELECT bookings.id, (${ABANDONED}) AS abandoned
      FROM slot JOIN slot_claims c ON c.room_id = slot.id AND c.during && slot.occupies
      JOIN bookings ON bookings.id = c.booking_id
    )
    SELECT jsonb_build_object('processor_status', w.processor_status, 'processor_account_id',
             w.processor_account_id, 'recovering_since', ${recoveringSince('w.id')}, 'checkout_hold_seconds', w.checkout_hold_seconds, 'tax_codes', w.tax_codes)
             AS workspace,
           (SELECT to_jsonb(slot) - '{occupies,created_at,updated_at}'::text[] FROM slot) AS room,
           (SELECT jsonb_build_object('id', m.id, 'tier', m.tier, 'status', m.status, 'company_id', m.company_id,
                                      'hour_credit_balance', m.hour_credit_balance, 'payment_terms',
                                      CASE WHEN mc.id IS NULL THEN m.payment_terms ELSE mc.payment_terms END)
            FROM members m LEFT JOIN companies mc ON mc.id = m.company_id WHERE m.id = $3 AND m.workspace_id = $1) AS member,
           (SELECT jsonb_build_object('booking_id', q.booking_id, 'state', q.state,
                                      'fingerprint', encode(q.fingerprint, 'hex'))
            FROM booking_requests q
            WHERE q.workspace_id = $1 AND q.idempotency_key = $6 AND q.state <> 'failed') AS known,
           EXISTS (SELECT FROM overlapping WHERE NOT abandoned) AS booked,
           coalesce((SELECT array_agg(id) FROM overlapping WHERE abandoned), '{}') AS abandoned,
           EXISTS (SELECT FROM slot JOIN blackouts o ON o.room_id = slot.id
                   AND o.during && tstzrange($4, $5)) AS blackout
    FROM workspaces w WHERE w.id = $1`,
};

/** Reads what a create depends on. */
export function findCreateContext(tx: Tx, lookup: CreateLookup): Promise<CreateContext> {
  return one<CreateContext>(tx, CREATE_CONTEXT, [
    lookup.workspace_id,
    lookup.room_id,
    lookup.member_id,
    lookup.start_at,
    lookup.end_at,
    lookup.idempotency_key,
  ]);
}
