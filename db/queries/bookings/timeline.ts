import type { ChangeOutcome } from '../../../domain/booking-change.js';
import type { DisputeEnd } from '../../../domain/states.js';
import type { MailKind } from '../../../domain/mails.js';
import { many } from '../../query.js';
import type { StoredChange } from '../../entities/bookings.js';
import type { Mail } from '../../entities/mail.js';
import type { Checkout, Dispute, DisputeMovement, Payment } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';
import { BY_AUTOPAY } from '../billing/refund.js';
import { SUBSCRIBED } from '../events/webhook-endpoint.js';

/** The last delivery attempt of an event; null if it was not tried. */
export interface LastDelivery {
  attempt: number;
  status_code: number | null;
  error: string | null;
}

/** A member who has changed something. */
export interface Person {
  /** Their name; null for an erased one. */
  by: string | null;
  with_key: boolean;
}

/** What has happened to a booking. `facts` is what the entry is about. */
export type TimelineEntry = { at: Date } & (
  | {
      kind: 'session';
      facts: Pick<Checkout, 'state' | 'session_id' | 'amount_minor'> & { for_change: boolean };
    }
  | { kind: 'decline'; facts: { code: string; for_change: boolean } }
  | {
      kind: 'event';
      facts: {
        type: string;
        object: Record<string, unknown>;
        previous: Record<string, unknown> | null;
        delivery: LastDelivery | null;
        /** Why no attempt was made; null if it is queued, or was tried. */
        unsent: 'unsubscribed' | 'no_endpoint' | 'disabled' | 'earlier' | null;
        /** Who corrected the guest, from the audit log; null for any other event. */
        corrected_by: Person | null;
      };
    }
  | {
      kind: 'payment' | 'refund';
      facts: Pick<
        Payment,
        'id' | 'kind' | 'status' | 'amount_minor' | 'method' | 'reason' | 'settled_at' | 'refund_of'
      > & { late: boolean; by_autopay: boolean; by_hand: boolean };
    }
  | { kind: 'dispute'; facts: Pick<Dispute, 'status' | 'amount_minor' | 'reason'> }
  | { kind: 'dispute_ended'; facts: Pick<Dispute, 'amount_minor'> & { status: DisputeEnd } }
  | { kind: 'dispute_movement'; facts: Pick<DisputeMovement, 'amount_minor'> }
  | { kind: 'mail'; facts: { kind: MailKind; status: Mail['status']; failure_code: string | null } }
  | {
      kind: 'change';
      facts: Person & {
        kind: 'change' | 'cancel';
        state: StoredChange['state'];
        outcome: ChangeOutcome | null;
        /** The payer asked, with the manage link. */
        by_link: boolean;
        /** What a change was to move the booking to, in UTC milliseconds, and what it was to cost more. */
        move: { start_at: number; end_at: number; difference_minor: number } | null;
        /** The reason of a cancellation, from the audit log. */
        reason: string | null;
      };
    }
);

/**
 * SQL of the person who corrected the guest with an event `e`: of the audit entries about that, the one stored nearest to it.
 * Both are stored in one transaction, but an event has the time of the service and an entry that of the database.
 */
const CORRECTED_BY = `(SELECT jsonb_build_object('by', m.name, 'with_key', a.actor ->> 'key_id' IS NOT NULL)
  FROM audit_log a LEFT JOIN members m ON m.id = a.actor ->> 'member_id' AND m.workspace_id = $1 AND m.status <> 'deleted'
  WHERE a.workspace_id = $1 AND a.action = 'booking.guest_corrected' AND a.object = $2
    AND a.at BETWEEN e.created_at - interval '1 minute' AND e.created_at + interval '1 minute'
  ORDER BY abs(extract(epoch FROM a.at - e.created_at)) LIMIT 1)`;

/**
 * A booking's history, oldest first: its session, declined cards, events with their deliveries, payments, refunds, disputes,
 * changes and mails. It begins with the request, also where what that has led to was stored a moment before.
 */
export function listTimeline(tx: Tx, workspaceId: string, bookingId: string): Promise<TimelineEntry[]> {
  return many<TimelineEntry>(
    tx,
    `SELECT * FROM (
     SELECT created_at AS at, 'session' AS kind, CASE WHEN change_id IS NULL THEN -1 ELSE 3 END AS rank,
            jsonb_build_object('state', state, 'session_id', session_id, 'amount_minor', amount_minor,
              'for_change', change_id IS NOT NULL) AS facts
     FROM checkouts WHERE workspace_id = $1 AND session_id IS NOT NULL
       AND (booking_id = $2 OR change_id = ANY (ARRAY(SELECT id FROM booking_changes WHERE booking_id = $2)))
     UNION ALL
     SELECT greatest(d.declined_at, k.created_at), 'decline', 4,
            jsonb_build_object('code', d.code, 'for_change', k.change_id IS NOT NULL)
     FROM card_declines d JOIN checkouts k ON k.id = d.checkout_id
     WHERE k.workspace_id = $1
       AND (k.booking_id = $2 OR k.change_id = ANY (ARRAY(SELECT id FROM booking_changes WHERE booking_id = $2)))
     UNION ALL
     SELECT e.created_at, 'event', CASE e.type WHEN 'booking.created' THEN -1 ELSE 2 + e.sequence / 10000.0 END, jsonb_build_object('type', e.type, 'object', e.body #> '{data,object}',
              'previous', e.body #> '{data,previous}',
              'corrected_by', CASE WHEN e.body #> '{data,previous,booked_by}' IS NOT NULL THEN ${CORRECTED_BY} END,
              'delivery', (SELECT jsonb_build_object('attempt', d.attempt, 'status_code', d.status_code, 'error', d.error)
                           FROM webhook_deliveries d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1),
              'unsent', CASE WHEN w.workspace_id IS NULL THEN 'no_endpoint'
                             WHEN e.created_at < w.created_at THEN 'earlier'
                             WHEN NOT ${SUBSCRIBED('e.type')} THEN 'unsubscribed'
                             WHEN w.status = 'disabled' THEN 'disabled' END)
     FROM events e LEFT JOIN webhook_endpoints w ON w.workspace_id = e.workspace_id
     WHERE e.object_id = $2 AND e.workspace_id = $1
     UNION ALL
     SELECT p.created_at, CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'payment' END, 1,
            jsonb_build_object('id', p.id, 'kind', p.kind, 'status', p.status, 'amount_minor', p.amount_minor,
              'method', p.method, 'reason', p.reason, 'settled_at', p.settled_at, 'refund_of', p.refund_of,
              'late', p.refusal IS NOT NULL, 'by_hand', p.account_id IS NULL, 'by_autopay', ${BY_AUTOPAY})
     FROM payments p WHERE p.booking_id = $2 AND p.workspace_id = $1
     UNION ALL
     SELECT entry.at, entry.kind, entry.rank,
            jsonb_build_object('status', d.status, 'amount_minor', d.amount_minor, 'reason', d.reason)
     FROM payments p JOIN disputes d ON d.payment_id = p.id
     CROSS JOIN LATERAL (VALUES (greatest(d.created_at, p.created_at), 'dispute', 6), (d.updated_at, 'dispute_ended', 8)) entry (at, kind, rank)
     WHERE p.booking_id = $2 AND p.workspace_id = $1
       AND (entry.kind = 'dispute' OR d.status NOT IN ('inquiry', 'open'))
     UNION ALL
     SELECT greatest(v.created_at, p.created_at), 'dispute_movement', 7, jsonb_build_object('amount_minor', v.amount_minor)
     FROM payments p JOIN dispute_movements v ON v.payment_id = p.id
     WHERE p.booking_id = $2 AND p.workspace_id = $1
     UNION ALL
     SELECT coalesce(sent_at, failed_at, created_at), 'mail', 5,
            jsonb_build_object('kind', kind, 'status', status, 'failure_code', failure_code)
     FROM mails WHERE booking_id = $2 AND workspace_id = $1 AND kind NOT IN ('refund_failed', 'refund_unfunded')
     UNION ALL
     SELECT coalesce(c.finished_at, c.created_at), 'change', 0,
            jsonb_build_object('kind', c.kind, 'state', c.state, 'outcome', c.outcome, 'by', m.name, 'by_link', c.actor ? 'guest',
              'with_key', c.actor ->> 'key_id' IS NOT NULL,
              'move', CASE WHEN c.plan ->> 'move' IS NOT NULL
                THEN jsonb_build_object('start_at', c.plan #> '{move,start_at}', 'end_at', c.plan #> '{move,end_at}',
                                        'difference_minor', c.plan #> '{move,difference,total_minor}') END,
              'reason', (SELECT a.details ->> 'reason' FROM audit_log a
                         WHERE c.kind = 'cancel' AND a.workspace_id = $1 AND a.object = $2
                           AND a.action = 'booking.cancelled'
                           AND a.at BETWEEN c.created_at AND c.finished_at + interval '1 minute' LIMIT 1))
     FROM booking_changes c LEFT JOIN members m ON m.id = c.actor ->> 'member_id' AND m.status <> 'deleted'
     WHERE c.booking_id = $2 AND c.workspace_id = $1 AND c.kind <> 'payment'
     ) entries ORDER BY rank < 0 DESC, at, rank`,
    [workspaceId, bookingId],
  );
}
