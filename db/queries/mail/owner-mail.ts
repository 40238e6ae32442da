import type { AccountingStep } from '../../../domain/accounting/documents.js';
import type { SellerText } from '../../../domain/invoices/parties.js';
import type { OwnerMailKind } from '../../../domain/mail/kinds.js';
import type { RequiredOf, SsoProvider } from '../../../domain/single-sign-on/providers.js';
import type { DisabledReason } from '../../../domain/events/webhook-schedule.js';
import { HOLDS_MAIL } from './mail-hold.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

interface RefundMailFacts {
  payment_id: string;
  booking_id: string | null;
  amount_minor: number;
  currency: string;
}

/** What each kind of mail to an owner reports. */
export interface OwnerMailFacts {
  workspace_created: { email: string };
  webhook_endpoint_disabled: { url: string; reason: DisabledReason };
  refund_failed: RefundMailFacts;
  refund_unfunded: RefundMailFacts;
  /** `status` is that of the report; `due_by` in ISO 8601, null if there is no deadline. */
  payment_disputed: RefundMailFacts & {
    dispute_id: string;
    status: 'inquiry' | 'open' | 'won' | 'lost';
    due_by: string | null;
    /** The processor's code. */
    reason: string | null;
  };
  /** `reason` is the accounting system's own text; null if the problem no longer exists. */
  accounting_failed: {
    invoice_id: string;
    accounting_reference: string;
    write: AccountingStep['do'];
    reason: string | null;
  };
  /** `in_books`: its number in the accounting system, where another invoice has its own. */
  number_given_twice: { invoice_id: string; number: string; in_books: string };
  /** `since` in ISO 8601. */
  database_behind: { since: string };
  accounting_disconnected: { organisation: string };
  /** `first` is the first difference. */
  reconciliation_differs: { from: string; to: string; differences: number; first: string };
  /** Times in ISO 8601. */
  maintenance_announced: { starts_at: string; ends_at: string };
  admin_added: { name: string; email: string };
  /** `member`: whom it acts for. */
  api_key_created: { name: string; fingerprint: string; member: string; scope: string };
  /** `url`: null if the endpoint was removed meanwhile. */
  webhook_url_changed: { url: string | null };
  /** The texts as they are now. */
  seller_text_changed: Record<SellerText, string | null>;
  full_discount_saved: { id: string; code: string };
  /** The addresses as they are now. */
  billing_address_changed: { id: string; name: string; email: string | null; address: string | null };
  /** As it is now; `name` is null before a provider was tested. */
  sso_changed: {
    sign_in_name: string | null;
    name: string | null;
    provider: SsoProvider | null;
    enabled: boolean;
    required: RequiredOf;
  };
  /** Times in ISO 8601. `others`: how many further certificates the provider has. */
  sso_certificate_expires: { name: string; not_after: string; others: number };
  recipients_limited: Record<string, never>;
  /** `reason`: of the operator of the service; null if too many addresses refused mail. */
  mail_held: { reason: string | null };
}

/** The contents of a mail to the owner of a workspace. */
export interface OwnerMail<Kind extends OwnerMailKind = OwnerMailKind> {
  id: string;
  kind: Kind;
  to: string;
  name: string;
  workspace_id: string;
  workspace_name: string;
  /** The workspace's. */
  time_zone: string;
  facts: OwnerMailFacts[Kind];
}

const REFUND_FACTS = `SELECT jsonb_build_object('payment_id', refund_of, 'booking_id', booking_id,
      'amount_minor', amount_minor, 'currency', currency)
    FROM payments WHERE id = mail.about`;

/**
 * SQL for the facts of a mail `mail` to an owner, as one JSON object; no row if there
 * is nothing left to report.
 */
const OWNER_MAIL_FACTS: Record<OwnerMailKind, string> = {
  workspace_created: `SELECT jsonb_build_object('email', m.email)`,
  webhook_endpoint_disabled: `SELECT jsonb_build_object('url', url, 'reason', disabled_reason)
    FROM webhook_endpoints e WHERE e.workspace_id = mail.workspace_id AND e.status = 'disabled'`,
  refund_failed: REFUND_FACTS,
  refund_unfunded: `${REFUND_FACTS} AND status = 'pending'`,
  payment_disputed: `SELECT jsonb_build_object('payment_id', p.id, 'booking_id', p.booking_id,
    'dispute_id', d.id,
      'amount_minor', d.amount_minor, 'currency', p.currency, 'status', d.status, 'due_by', d.due_by,
      'reason', d.reason)
    FROM disputes d JOIN payments p ON p.id = d.payment_id
    WHERE mail.about = d.id || ':' || d.status`,
  accounting_failed: `SELECT jsonb_build_object('invoice_id', id, 'accounting_reference',
    accounting_reference,
      'write', split_part(mail.about, ':', 2), 'reason', accounting_error)
    FROM invoices WHERE id = mail.invoice_id`,
  number_given_twice: `SELECT jsonb_build_object('invoice_id', id, 'number', document_number,
      'in_books', split_part(mail.about, ':', 2))
    FROM invoices WHERE id = split_part(mail.about, ':', 1)`,
  database_behind: `SELECT jsonb_build_object('since', split_part(mail.about, '/', 2))`,
  accounting_disconnected: `SELECT jsonb_build_object('organisation', organisation)
    FROM accounting_connections c WHERE c.workspace_id = mail.workspace_id AND c.status = 'revoked'`,
  reconciliation_differs: `SELECT jsonb_build_object('from', report -> 'from', 'to', report -> 'to',
      'differences', jsonb_array_length(report -> 'differences'), 'first',
      report #> '{differences,0,message}')
    FROM reconciliations WHERE id = mail.about`,
  // Not if the window was changed or withdrawn in the meantime.
  maintenance_announced: `SELECT jsonb_build_object('starts_at', split_part(mail.about, '/', 2),
      'ends_at', split_part(mail.about, '/', 3))
    FROM workspaces w WHERE w.id = mail.workspace_id
      AND w.maintenance_starts_at = split_part(mail.about, '/', 2)::timestamptz
      AND w.maintenance_ends_at = split_part(mail.about, '/', 3)::timestamptz`,
  admin_added: `SELECT jsonb_build_object('name', a.name, 'email', a.email)
    FROM events e JOIN members a ON a.id = e.object_id
    WHERE e.id = mail.about AND a.role = 'admin' AND a.email IS NOT NULL`,
  api_key_created: `SELECT jsonb_build_object('name', k.name, 'member', a.name,
      'scope', array_to_string(k.resources, ', ') || ' (' || array_to_string(k.actions, ', ') || ')',
      'fingerprint', (SELECT fingerprint FROM api_tokens t WHERE t.key_id = k.id
        ORDER BY t.created_at LIMIT 1))
    FROM api_keys k JOIN members a ON a.id = k.member_id
    WHERE k.id = mail.about AND a.email IS NOT NULL`,
  webhook_url_changed: `SELECT jsonb_build_object('url',
      (SELECT url FROM webhook_endpoints e WHERE e.workspace_id = mail.workspace_id))`,
  seller_text_changed: `SELECT jsonb_build_object('legal_address', w.legal_address,
      'payment_instructions', w.payment_instructions, 'invoice_details', w.invoice_details)`,
  full_discount_saved: `SELECT jsonb_build_object('id', d.id, 'code', d.code)
    FROM discounts d WHERE d.id = split_part(mail.about, ':', 1)::uuid
      AND d.workspace_id = mail.workspace_id`,
  billing_address_changed: `SELECT jsonb_build_object('id', c.id, 'name', c.name, 'email', c.billing_email,
    'address', c.address)
    FROM companies c WHERE c.id = split_part(mail.about, ':', 1)::uuid
      AND c.workspace_id = mail.workspace_id`,
  sso_changed: `SELECT jsonb_build_object('sign_in_name', (SELECT n.name FROM sign_in_names n
      WHERE n.workspace_id = w.id AND n.left_at IS NULL), 'name', c.name, 'provider', c.provider,
      'enabled', coalesce(c.enabled, false), 'required', coalesce(c.required, 'none'))
    FROM (SELECT) one LEFT JOIN sso_connections c ON c.workspace_id = w.id`,
  // Not if it was replaced meanwhile, or nobody uses it.
  sso_certificate_expires: `SELECT jsonb_build_object('name', c.name, 'not_after',
    split_part(mail.about, '/', 4),
      'others', jsonb_array_length(c.provider -> 'certificates') - 1)
    FROM sso_connections c WHERE c.workspace_id = mail.workspace_id AND c.enabled AND EXISTS (
      SELECT FROM jsonb_array_elements_text(c.provider -> 'certificates') pem
      WHERE encode(sha256(convert_to(pem, 'UTF8')), 'hex') = split_part(mail.about, '/', 2))`,
  recipients_limited: `SELECT '{}'::jsonb`,
  // Not if it was released or replaced meanwhile.
  mail_held: `SELECT jsonb_build_object('reason', h.reason) FROM mail_holds h
    WHERE h.workspace_id = mail.workspace_id AND ${HOLDS_MAIL}
      AND h.held_at = split_part(mail.about, '/', 2)::timestamptz`,
};

/** Reads the contents of a mail to the owner of a workspace; null if there is nothing left to report. */
export function findOwnerMail(tx: Tx, mailId: string, kind: OwnerMailKind): Promise<OwnerMail | null> {
  return maybeOne<OwnerMail>(
    tx,
    `SELECT mail.id, mail.kind, m.email AS to, m.name, w.id AS workspace_id, w.name AS workspace_name,
      w.time_zone, facts.facts
     FROM mails mail
     JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
     CROSS JOIN LATERAL (${OWNER_MAIL_FACTS[kind]}) facts (facts)
     WHERE mail.id = $1`,
    [mailId],
  );
}
