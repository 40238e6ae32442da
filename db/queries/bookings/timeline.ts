import type { ChangeOutcome, Move } from '../../../domain/bookings/change.js';
import type { RefundPolicy } from '../../../domain/bookings/refund-policy.js';
import type { DisputeEnd } from '../../../domain/states.js';
import { many } from '../../query.js';
import type { StoredChange } from '../../entities/bookings.js';
import type { Mail } from '../../entities/mail.js';
import type { Checkout, Dispute, DisputeMovement, Payment } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';

/** The last delivery attempt of an event; null if it was not attempted. */
export interface LastDelivery {
  attempt: number;
  status_code: number | null;
  error: string | null;
}

/** Who changed something: a member, or the holder of the manage link. */
export interface Person {
  /** The member's name; null for an erased one. */
  by: string | null;
  with_key: boolean;
  by_link: boolean;
}

/** Who made the change that an event reports, with what the audit entry contains about a cancellation. */
export interface Act extends Person {
  refund_policy: RefundPolicy | 'amount' | null;
  reason: string | null;
}

/** Something that happened to a booking. `facts` is what the entry is about. */
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
        /** Why no attempt was made; null if it is queued or was attempted. */
        unsent: 'unsubscribed' | 'no_endpoint' | 'disabled' | 'earlier' | null;
        /** From the audit log; null if nobody acted, or if such an act had no entry at that time. */
        act: Act | null;
        /** Who requested the change that waits for payment or has ended unpaid; null for other events. */
        asked: Person | null;
      };
    }
  | {
      kind: 'payment' | 'refund';
      facts: Pick<
        Payment,
        'id' | 'kind' | 'status' | 'amount_minor' | 'method' | 'reason' | 'settled_at' | 'refund_of'
      > & {
        late: boolean;
        by_autopay: boolean;
        by_hand: boolean;
        /** Who recorded the payment or requested the refund, from the audit log; null if nobody did. */
        recorded: Person | null;
      };
    }
  | { kind: 'dispute'; facts: Pick<Dispute, 'status' | 'amount_minor' | 'reason'> }
  | { kind: 'dispute_ended'; facts: Pick<Dispute, 'amount_minor'> & { status: DisputeEnd } }
  | { kind: 'dispute_movement'; facts: Pick<DisputeMovement, 'amount_minor'> }
  | { kind: 'mail'; facts: Pick<Mail, 'kind' | 'about' | 'status' | 'failure_code'> }
  | {
      kind: 'message';
      facts: Person & {
        status: Mail['status'];
        failure_code: string | null;
        subject: string | null;
        text: string | null;
      };
    }
  | {
      kind: 'change';
      facts: Person & {
        kind: 'change' | 'cancel';
        state: StoredChange['state'];
        outcome: ChangeOutcome | null;
        /**
         * Where a change would have moved the booking, in UTC milliseconds, and how much more it would have
         * cost.
         */
        move: (Pick<Move, 'room_id' | 'start_at' | 'end_at'> & { difference_minor: number }) | null;
      };
    }
);

/**
 * SQL for the possible actions of the audit entry that is stored together with an event `e` of a booking;
 * null if there is none.
 */
export const ACTIONS_OF_EVENT = `CASE WHEN e.body #> '{data,previous,booked_by}' IS NOT NULL
  THEN ARRAY['booking.guest_corrected']
  WHEN e.type = 'booking.created' AND e.body #>> '{data,object,source}' = 'dashboard'
    THEN ARRAY['booking.created']
  WHEN e.type = 'booking.updated' THEN ARRAY['booking.moved', 'booking.extras_changed',
    'booking.details_changed']
  WHEN e.type = 'booking.cancelled' THEN ARRAY['booking.cancelled']
  WHEN e.type = 'booking.change_lapsed' AND e.body #>> '{data,object,pending_change,ended}' = 'withdrawn'
    THEN ARRAY['booking.change_withdrawn']
  WHEN e.type = 'booking.no_show' THEN ARRAY['booking.marked_no_show'] END`;

/**
 * Lists a booking's history, oldest first: its session, declined cards, events with their deliveries,
 * payments, refunds, disputes, changes, mails and messages. A change that was made is shown by its event with
 * who made it, or by a separate entry if the event does not contain that. A change that was never paid is
 * also shown by its events. The history begins with the request, even if its results were stored a moment
 * before it.
 */
export function listTimeline(tx: Tx, workspaceId: string, bookingId: string): Promise<TimelineEntry[]> {
  return many<TimelineEntry>(
    tx,
    `WITH told AS (SELECT e.*, (SELECT jsonb_build_object('by', m.name, 'with_key',
      a.actor ->> 'key_id' IS NOT NULL, 'by_link', a.actor ? 'guest',
        'refund_policy', a.details ->> 'refund_policy', 'reason', a.details ->> 'reason')
      FROM audit_log a LEFT JOIN members m ON m.id = a.actor ->> 'member_id' AND m.workspace_id = $1
        AND m.status <> 'deleted'
      WHERE a.workspace_id = $1 AND a.object = $2 AND a.action = ANY (CASE
        WHEN e.body #> '{data,previous,booked_by}' IS NOT NULL THEN ARRAY['booking.guest_corrected']
      WHEN e.type = 'booking.created' AND e.body #>> '{data,object,source}' = 'dashboard'
        THEN ARRAY['booking.created']
      WHEN e.type = 'booking.updated'
        THEN ARRAY['booking.moved', 'booking.extras_changed', 'booking.details_changed']
      WHEN e.type = 'booking.cancelled' THEN ARRAY['booking.cancelled']
      WHEN e.type = 'booking.change_lapsed' AND e.body #>> '{data,object,pending_change,ended}' = 'withdrawn'
        THEN ARRAY['booking.change_withdrawn']
      WHEN e.type = 'booking.no_show' THEN ARRAY['booking.marked_no_show'] END)
        AND a.actor ?| ARRAY['member_id', 'guest']
        AND a.at BETWEEN e.created_at - interval '1 minute' AND e.created_at + interval '1 minute'
      ORDER BY abs(extract(epoch FROM a.at - e.created_at)) LIMIT 1) AS act FROM events e
        WHERE e.object_id = $2 AND e.workspace_id = $1)
     SELECT * FROM (
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
       AND (k.booking_id = $2 OR k.change_id = ANY (ARRAY(SELECT id FROM booking_changes
         WHERE booking_id = $2)))
     UNION ALL
     SELECT e.created_at, 'event', CASE e.type WHEN 'booking.created' THEN -1
       ELSE 2 + e.sequence / 10000.0 END, jsonb_build_object('type', e.type, 'object',
       e.body #> '{data,object}',
              'previous', e.body #> '{data,previous}',
              'act', e.act, 'asked', (SELECT jsonb_build_object('by', m.name, 'with_key',
                c.actor ->> 'key_id' IS NOT NULL, 'by_link', c.actor ? 'guest')
                FROM booking_changes c LEFT JOIN members m ON m.id = c.actor ->> 'member_id'
                  AND m.workspace_id = $1 AND m.status <> 'deleted'
                WHERE c.id = e.body #>> '{data,object,pending_change,id}' AND c.booking_id = $2
                  AND c.workspace_id = $1),
              'delivery', (SELECT jsonb_build_object('attempt', d.attempt, 'status_code', d.status_code,
                'error', d.error)
                           FROM webhook_deliveries d WHERE d.event_id = e.id ORDER BY d.attempt DESC LIMIT 1),
              'unsent', CASE WHEN w.workspace_id IS NULL THEN 'no_endpoint'
                             WHEN e.created_at < w.created_at THEN 'earlier'
                             WHEN NOT is_subscribed(w, e.type) THEN 'unsubscribed'
                             WHEN w.status = 'disabled' THEN 'disabled' END)
     FROM told e LEFT JOIN webhook_endpoints w ON w.workspace_id = e.workspace_id
     UNION ALL
     SELECT p.created_at, CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'payment' END, 1,
            jsonb_build_object('id', p.id, 'kind', p.kind, 'status', p.status, 'amount_minor', p.amount_minor,
              'method', p.method, 'reason', p.reason, 'settled_at', p.settled_at, 'refund_of', p.refund_of,
              'late', p.refusal IS NOT NULL, 'by_hand', p.account_id IS NULL, 'by_autopay',
                paid_by_autopay(p),
              'recorded', (SELECT jsonb_build_object('by', m.name, 'with_key',
                a.actor ->> 'key_id' IS NOT NULL, 'by_link', a.actor ? 'guest')
                FROM audit_log a LEFT JOIN members m ON m.id = a.actor ->> 'member_id' AND m.workspace_id = $1
                  AND m.status <> 'deleted'
                WHERE a.workspace_id = $1
                  AND a.action IN ('booking.payment_taken', 'invoice.marked_paid', 'payment.refunded')
                  AND p.id IN (a.details ->> 'payment_id', a.details ->> 'refund_id')
                    AND a.actor ? 'member_id'
                  AND a.at BETWEEN p.created_at - interval '1 minute' AND p.created_at + interval '1 minute'
                    LIMIT 1))
     FROM payments p WHERE p.booking_id = $2 AND p.workspace_id = $1
     UNION ALL
     SELECT entry.at, entry.kind, entry.rank,
            jsonb_build_object('status', d.status, 'amount_minor', d.amount_minor, 'reason', d.reason)
     FROM payments p JOIN disputes d ON d.payment_id = p.id
     CROSS JOIN LATERAL (VALUES (greatest(d.created_at, p.created_at), 'dispute', 6), (d.updated_at,
       'dispute_ended', 8)) entry (at, kind, rank)
     WHERE p.booking_id = $2 AND p.workspace_id = $1
       AND (entry.kind = 'dispute' OR d.status NOT IN ('inquiry', 'open'))
     UNION ALL
     SELECT greatest(v.created_at, p.created_at), 'dispute_movement', 7, jsonb_build_object('amount_minor',
       v.amount_minor)
     FROM payments p JOIN dispute_movements v ON v.payment_id = p.id
     WHERE p.booking_id = $2 AND p.workspace_id = $1
     UNION ALL
     SELECT coalesce(sent_at, failed_at, created_at), 'mail', 5,
            jsonb_build_object('kind', kind, 'about', about, 'status', status, 'failure_code', failure_code)
     FROM mails WHERE booking_id = $2 AND workspace_id = $1
       AND kind NOT IN ('refund_failed', 'refund_unfunded', 'booking_message')
     UNION ALL
     SELECT coalesce(mail.sent_at, mail.failed_at, s.created_at), 'message', 5,
            jsonb_build_object('status', mail.status, 'failure_code', mail.failure_code,
              'subject', s.subject, 'text', s.body, 'by', m.name,
              'with_key', s.actor ->> 'key_id' IS NOT NULL, 'by_link', false)
     FROM booking_messages s JOIN mails mail ON mail.kind = 'booking_message' AND mail.about = s.message_id
     LEFT JOIN members m ON m.id = s.actor ->> 'member_id' AND m.workspace_id = $1 AND m.status <> 'deleted'
     WHERE s.booking_id = $2 AND s.workspace_id = $1
     UNION ALL
     SELECT coalesce(c.finished_at, c.created_at), 'change', 0,
            jsonb_build_object('kind', c.kind, 'state', c.state, 'outcome', c.outcome, 'by', m.name,
              'with_key', c.actor ->> 'key_id' IS NOT NULL, 'by_link', c.actor ? 'guest',
              'move', CASE WHEN c.plan ->> 'move' IS NOT NULL
                THEN jsonb_build_object('room_id', c.plan #> '{move,room_id}', 'start_at',
                  c.plan #> '{move,start_at}', 'end_at', c.plan #> '{move,end_at}',
                                        'difference_minor', c.plan #> '{move,difference,total_minor}') END)
     FROM booking_changes c LEFT JOIN members m ON m.id = c.actor ->> 'member_id' AND m.workspace_id = $1
       AND m.status <> 'deleted'
     WHERE c.booking_id = $2 AND c.workspace_id = $1 AND c.kind <> 'payment'
       AND NOT (c.state IN ('pending', 'refused') AND EXISTS (SELECT FROM told e
         WHERE e.body #>> '{data,object,pending_change,id}' = c.id))
       AND NOT (c.state = 'done' AND EXISTS (SELECT FROM told e
         WHERE e.act IS NOT NULL AND e.type = CASE c.kind WHEN 'cancel' THEN 'booking.cancelled'
           ELSE 'booking.updated' END
           AND e.created_at BETWEEN c.finished_at - interval '1 minute'
             AND c.finished_at + interval '1 minute'))
     ) entries ORDER BY rank < 0 DESC, at, rank`,
    [workspaceId, bookingId],
  );
}
