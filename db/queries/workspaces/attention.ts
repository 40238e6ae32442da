import type { DisputeEvidence } from '../../../domain/payments/dispute-words.js';
import type { MailKind } from '../../../domain/mail/kinds.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

export type AttentionKind =
  | 'hold_not_ended'
  | 'change_not_charged'
  | 'change_not_ended'
  | 'not_completed'
  | 'refund_failed'
  | 'refund_not_requested'
  | 'refund_unfunded'
  | 'refund_pending'
  | 'not_in_accounting'
  | 'accounting_disconnected'
  | 'endpoint_disabled'
  | 'mail_held'
  | 'job_failed'
  | 'processor_revoked'
  | 'disputed'
  | 'account_restricted'
  | 'mail_not_sent'
  | 'mail_refused'
  | 'time_zone_wrong';

/**
 * A problem that does not resolve by itself, or not soon, and its reason (docs/guides/runbook.md#attention).
 */
export interface AttentionItem {
  kind: AttentionKind;
  /** The booking it is about; null if there is none, or it was never published. */
  booking_id: string | null;
  /** The id of a booking, invoice, payment or member, or the name of the organisation or receiver. */
  object_id: string;
  reference: string | null;
  room_name: string | null;
  time_zone: string | null;
  start_at: Date | null;
  end_at: Date | null;
  since: Date;
  amount_minor: number | null;
  currency: string | null;
  /** The message of an outside system, or a code. */
  reason: string | null;
  /** When it must be dealt with. */
  due_by: Date | null;
  /** The kind of the mail it is about. */
  mail_kind: MailKind | null;
  /** The processor's code for why a bank disputes a payment. */
  dispute_reason: string | null;
  /** The state of the evidence against the dispute. */
  dispute_evidence: DisputeEvidence | null;
  /** The payment it is about; for a refund, the payment that is refunded. */
  payment_id: string | null;
  refund_id: string | null;
}

/**
 * One booking; one object that does not belong to a booking, such as an invoice; all bookings; or for money,
 * invoices, payments and the accounts.
 */
export interface AttentionAbout {
  booking_id?: string | null;
  object_id?: string;
  of_bookings?: boolean;
  of_money?: boolean;
  /**
   * The ids of runs with a failing step: problems with what they work on are listed without the usual delay.
   */
  failing?: string[];
}

/** Lists what needs attention in a workspace, or about one object, oldest first. */
export function listAttentionItems(
  tx: Tx,
  filter: AttentionAbout & { workspace_id: string; limit: number },
): Promise<AttentionItem[]> {
  return many<AttentionItem>(
    tx,
    `SELECT t.kind, t.object_id, t.since, t.amount_minor, t.currency, t.reason, t.due_by, t.mail_kind,
      t.dispute_reason, t.dispute_evidence, t.payment_id, t.refund_id,
            b.id AS booking_id, b.reference, r.name AS room_name, r.time_zone, b.start_at, b.end_at
     FROM (
       SELECT 'hold_not_ended' AS kind, b.id AS booking_id, b.id AS object_id, b.expires_at AS since,
         b.price_minor AS amount_minor,
       b.currency, NULL AS reason, NULL AS payment_id, NULL AS refund_id, NULL::timestamptz AS due_by,
         NULL AS mail_kind, NULL AS dispute_reason, NULL AS dispute_evidence
       FROM bookings b WHERE b.workspace_id = $1 AND b.status = 'pending_payment'
         AND b.published_at IS NOT NULL
         AND b.expires_at < now() - CASE WHEN b.id = ANY($7::text[]) THEN interval '0'
           ELSE interval '2 minutes' END
       UNION ALL
       SELECT 'change_not_charged', c.booking_id, c.booking_id, c.created_at, k.amount_minor, k.currency,
         NULL, NULL, NULL, NULL, NULL, NULL, NULL
       FROM booking_changes c LEFT JOIN checkouts k ON k.charged_change_id = c.id WHERE c.workspace_id = $1
         AND c.state = 'charging'
         AND c.created_at < now() - CASE WHEN c.booking_id = ANY($7::text[]) THEN interval '0'
           ELSE interval '5 minutes' END
       UNION ALL
       SELECT 'change_not_ended', c.booking_id, c.booking_id, coalesce(c.expires_at, c.created_at),
         k.amount_minor, k.currency, NULL, NULL, NULL, NULL, NULL, NULL, NULL
       FROM booking_changes c JOIN checkouts k ON k.change_id = c.id
       WHERE c.workspace_id = $1 AND c.state IN ('opening', 'pending')
         AND coalesce(c.expires_at, c.created_at) < now() - CASE WHEN c.booking_id = ANY($7::text[])
           THEN interval '0' ELSE interval '2 minutes' END
       UNION ALL
       SELECT 'not_completed', b.id, b.id, b.end_at, NULL::bigint, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         NULL
       FROM bookings b WHERE b.workspace_id = $1 AND b.status = 'confirmed'
         AND b.end_at < now() - interval '10 minutes'
       UNION ALL
       SELECT 'refund_failed', p.booking_id, coalesce(p.invoice_id, p.refund_of), p.updated_at,
         p.amount_minor, p.currency, p.reason, p.refund_of, p.id, NULL, NULL, NULL, NULL
       FROM payments p WHERE p.workspace_id = $1 AND p.kind = 'refund' AND p.status = 'failed'
         AND EXISTS (SELECT FROM payments paid WHERE paid.id = p.refund_of
           AND paid.refunded_minor < paid.amount_minor)
         AND NOT EXISTS (SELECT FROM payments again WHERE again.refund_of = p.refund_of
         AND again.created_at > p.created_at AND again.status <> 'failed')
       UNION ALL
       SELECT 'refund_not_requested', p.booking_id, coalesce(p.invoice_id, p.refund_of), p.created_at,
         p.amount_minor, p.currency, NULL, p.refund_of, p.id, NULL, NULL, NULL, NULL
       FROM payments p WHERE p.workspace_id = $1 AND p.kind = 'refund' AND p.status = 'pending'
         AND p.account_id IS NOT NULL AND p.processor_refund_id IS NULL AND p.unfunded_since IS NULL
         AND p.created_at < now() - CASE WHEN p.id = ANY($7::text[]) THEN interval '0'
           ELSE interval '1 minute' END
       UNION ALL
       SELECT 'refund_unfunded', p.booking_id, coalesce(p.invoice_id, p.refund_of), p.unfunded_since,
         p.amount_minor, p.currency, NULL, p.refund_of, p.id, NULL, NULL, NULL, NULL
       FROM payments p WHERE p.workspace_id = $1 AND p.kind = 'refund' AND p.status = 'pending'
         AND p.unfunded_since IS NOT NULL
       UNION ALL
       SELECT 'refund_pending', p.booking_id, coalesce(p.invoice_id, p.refund_of), p.created_at,
         p.amount_minor, p.currency, NULL, p.refund_of, p.id, NULL, NULL, NULL, NULL
       FROM payments p WHERE p.workspace_id = $1 AND p.kind = 'refund' AND p.status = 'pending'
         AND p.processor_refund_id IS NOT NULL AND p.unfunded_since IS NULL
         AND p.created_at < now() - interval '1 day'
       UNION ALL
       SELECT 'not_in_accounting', i.booking_id, i.id, i.updated_at, i.total_minor, i.currency,
         i.accounting_error, NULL, NULL, NULL, NULL, NULL, NULL
       FROM invoices i WHERE i.workspace_id = $1 AND i.accounting_error IS NOT NULL
       UNION ALL
       SELECT 'accounting_disconnected', NULL, c.organisation, c.revoked_at, NULL::bigint, NULL, NULL, NULL,
         NULL, NULL, NULL, NULL, NULL
       FROM accounting_connections c WHERE c.workspace_id = $1 AND c.status = 'revoked' AND c.enabled
       UNION ALL
       SELECT 'endpoint_disabled', NULL, w.url, coalesce(w.failing_since, w.created_at), NULL::bigint, NULL,
       w.disabled_reason, NULL, NULL, NULL, NULL, NULL, NULL
       FROM webhook_endpoints w WHERE w.workspace_id = $1 AND w.status = 'disabled'
       UNION ALL
       SELECT 'mail_held', NULL, h.workspace_id, h.held_at, NULL::bigint, NULL, h.reason, NULL, NULL, NULL,
         NULL, NULL, NULL
       FROM mail_holds h WHERE h.workspace_id = $1 AND holds_mail(h)
       UNION ALL
       SELECT 'job_failed', NULL, f.job, f.since, NULL::bigint, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
       FROM job_failures f WHERE f.workspace_id = $1
       UNION ALL
       SELECT 'processor_revoked', NULL, w.processor_account_id, w.updated_at, NULL::bigint, NULL, NULL, NULL,
         NULL, NULL, NULL, NULL, NULL
       FROM workspaces w WHERE w.id = $1 AND w.processor_status = 'revoked'
       UNION ALL
       SELECT 'disputed', p.booking_id, coalesce(p.invoice_id, p.id), d.created_at, d.amount_minor,
         p.currency,
       d.status, p.id, NULL, d.due_by, NULL, d.reason, d.evidence
       FROM disputes d JOIN payments p ON p.id = d.payment_id
       WHERE d.workspace_id = $1 AND d.status IN ('inquiry', 'open')
       UNION ALL
       SELECT 'account_restricted', NULL, w.processor_account_id, w.updated_at, NULL::bigint, NULL,
       w.processor_problem, NULL, NULL, w.processor_due_by, NULL, NULL, NULL
       FROM workspaces w WHERE w.id = $1 AND w.processor_status <> 'revoked'
         AND (w.processor_problem IS NOT NULL OR w.processor_due_by IS NOT NULL)
       UNION ALL
       SELECT 'mail_not_sent', m.booking_id, coalesce(m.booking_id, m.invoice_id, m.about), m.created_at,
         NULL::bigint,
       NULL, m.failure_code, NULL, NULL, NULL::timestamptz, m.kind, NULL, NULL
       FROM mails m WHERE m.workspace_id = $1 AND m.status = 'pending'
         AND m.created_at < now() - interval '10 minutes'
         AND m.failure_code IS DISTINCT FROM 'mail_held'
       UNION ALL
       -- Shown for a month, unless a later mail about the same booking or invoice was sent; an invite only
       -- while it is open. A previous address that refuses mail needs no action.
       SELECT 'mail_refused', m.booking_id, coalesce(m.booking_id, m.invoice_id, i.member_id, m.about),
         m.failed_at,
       NULL::bigint, NULL, m.failure_code, NULL, NULL, NULL::timestamptz, m.kind, NULL, NULL
       FROM mails m LEFT JOIN member_invites i ON i.id = m.about
       WHERE m.workspace_id = $1 AND m.status = 'failed' AND m.failed_at > now() - interval '30 days'
         AND m.kind NOT IN ('member_email_changed', 'member_email_requested') AND (m.kind <> 'member_invite'
           OR i.id IS NOT NULL)
         AND NOT EXISTS (SELECT FROM mails later WHERE later.status = 'sent'
           AND later.created_at > m.created_at
         AND (later.booking_id = m.booking_id OR later.invoice_id = m.invoice_id))
     ) t LEFT JOIN bookings b ON b.id = t.booking_id AND b.published_at IS NOT NULL
     LEFT JOIN rooms r ON r.id = b.room_id
     WHERE ($2::text IS NULL OR t.booking_id = $2) AND ($3::text IS NULL OR t.object_id = $3)
       AND (NOT $5 OR b.id IS NOT NULL AND t.kind <> 'not_in_accounting')
       AND (NOT $6 OR t.object_id LIKE 'inv\\_%' OR t.payment_id IS NOT NULL
         OR t.kind IN ('accounting_disconnected', 'account_restricted', 'processor_revoked'))
     ORDER BY t.since LIMIT $4`,
    [
      filter.workspace_id,
      filter.booking_id ?? null,
      filter.object_id ?? null,
      filter.limit,
      filter.of_bookings ?? false,
      filter.of_money ?? false,
      filter.failing ?? [],
    ],
  );
}
