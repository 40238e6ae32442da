import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** The events a booking's life writes (spec.md, "Events"). */
export type EventType =
  | 'booking.created'
  | 'booking.confirmed'
  | 'booking.updated'
  | 'booking.cancelled'
  | 'booking.expired'
  | 'booking.completed'
  | 'booking.no_show'
  | 'invoice.created'
  | 'invoice.paid'
  | 'invoice.voided'
  | 'invoice.refunded'
  | 'payment.succeeded'
  | 'payment.refunded'
  | 'payment.refund_failed';

/**
 * Stores an event in the transaction of what it tells (decisions.md, "Events"). The caller holds the lock on the
 * object's row, so that `sequence` rises without gaps.
 */
export async function insertEvent(
  tx: Tx,
  event: {
    type: EventType;
    workspace_id: string;
    object: { id: string };
    /** What the changed fields were, on `*.updated`. */
    previous?: Record<string, unknown>;
    created_at: Date;
  },
): Promise<void> {
  const id = newId('evt');
  const { object, previous } = event;
  await tx.query(
    `INSERT INTO events (id, workspace_id, type, object_id, sequence, body, created_at)
     SELECT $1, $2, $3, $4, next.sequence,
            jsonb_build_object('id', $1::text, 'type', $3::text, 'created_at', $5::text, 'workspace_id', $2::text,
                               'sequence', next.sequence, 'data', $6::jsonb),
            $5::timestamptz
     FROM (SELECT coalesce(max(sequence), 0) + 1 AS sequence FROM events WHERE object_id = $4) next`,
    [
      id,
      event.workspace_id,
      event.type,
      event.object.id,
      event.created_at.toISOString(),
      { object, previous },
    ],
  );
}
