import type { AccountingStep } from '../../../domain/accounting/documents.js';
import type { SellerText } from '../../../domain/invoices/parties.js';
import type { OwnerMailKind } from '../../../domain/mail/kinds.js';
import type { Mail } from '../../entities/mail.js';
import type { SsoRequirement, SsoProvider } from '../../../domain/single-sign-on/providers.js';
import type { DisabledReason } from '../../../domain/events/webhook-schedule.js';
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
  /** `reason` is the accounting system's text; null if the problem no longer exists. */
  accounting_failed: {
    invoice_id: string;
    accounting_reference: string;
    write: AccountingStep['do'];
    reason: string | null;
  };
  /** `in_books`: its number in the accounting system, because another invoice has its own number there. */
  number_given_twice: { invoice_id: string; number: string; in_books: string };
  /** `since` in ISO 8601. */
  database_behind: { since: string };
  accounting_disconnected: { organisation: string };
  /** `first` is the first difference. */
  reconciliation_differs: { from: string; to: string; differences: number; first: string };
  /** Times in ISO 8601. */
  maintenance_announced: { starts_at: string; ends_at: string };
  /** `action`: the action of the audit log that made the member an admin. */
  admin_added: { name: string; email: string; action: string };
  /** `member`: the member for whom it acts. */
  api_key_created: { name: string; fingerprint: string; member: string; scope: string };
  /** `url`: null if the endpoint has been removed. */
  webhook_url_changed: { url: string | null };
  /** The current texts. */
  seller_text_changed: Record<SellerText, string | null>;
  full_discount_saved: { id: string; code: string };
  /** The current addresses. */
  billing_address_changed: { id: string; name: string; email: string | null; address: string | null };
  /** The current settings; `name` is null before a provider was tested. */
  sso_changed: {
    sign_in_name: string | null;
    name: string | null;
    provider: SsoProvider | null;
    enabled: boolean;
    required: SsoRequirement;
  };
  /** Times in ISO 8601. `others`: how many other certificates the provider has. */
  sso_certificate_expires: { name: string; not_after: string; others: number };
  recipients_limited: Record<string, never>;
  /** `reason`: given by the operator of the service; null if too many addresses refused mail. */
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
  /** The workspace's time zone. */
  time_zone: string;
  facts: OwnerMailFacts[Kind];
}

/** The parameters of the statements for a mail's facts. */
type MailFacts = Pick<Mail, 'about' | 'workspace_id' | 'invoice_id'>;

/**
 * For each kind of mail, the statement for its facts, which returns no row if there is nothing left to
 * report. `of`: its parameters.
 */
const OWNER_MAIL_FACTS: Record<OwnerMailKind, { of: (keyof MailFacts)[]; text: string }> = {
  workspace_created: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('email', m.email) AS facts FROM members m
    WHERE m.workspace_id = $1 AND m.role = 'owner'`,
  },
  webhook_endpoint_disabled: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('url', url, 'reason', disabled_reason) AS facts
    FROM webhook_endpoints e WHERE e.workspace_id = $1 AND e.status = 'disabled'`,
  },
  refund_failed: {
    of: ['about'],
    text: `SELECT jsonb_build_object('payment_id', refund_of, 'booking_id', booking_id,
      'amount_minor', amount_minor, 'currency', currency) AS facts
    FROM payments WHERE id = $1::text`,
  },
  refund_unfunded: {
    of: ['about'],
    text: `SELECT jsonb_build_object('payment_id', refund_of, 'booking_id', booking_id,
      'amount_minor', amount_minor, 'currency', currency) AS facts
    FROM payments WHERE id = $1::text AND status = 'pending'`,
  },
  payment_disputed: {
    of: ['about'],
    text: `SELECT jsonb_build_object('payment_id', p.id, 'booking_id', p.booking_id, 'dispute_id', d.id,
      'amount_minor', d.amount_minor, 'currency', p.currency, 'status', d.status, 'due_by', d.due_by,
        'reason', d.reason) AS facts
    FROM disputes d JOIN payments p ON p.id = d.payment_id
    WHERE $1 = d.id || ':' || d.status`,
  },
  accounting_failed: {
    of: ['about', 'invoice_id'],
    text: `SELECT jsonb_build_object('invoice_id', id, 'accounting_reference', accounting_reference,
      'write', split_part($1::text, ':', 2), 'reason', accounting_error) AS facts
    FROM invoices WHERE id = $2`,
  },
  number_given_twice: {
    of: ['about'],
    text: `SELECT jsonb_build_object('invoice_id', id, 'number', document_number,
      'in_books', split_part($1::text, ':', 2)) AS facts
    FROM invoices WHERE id = split_part($1::text, ':', 1)`,
  },
  database_behind: {
    of: ['about'],
    text: `SELECT jsonb_build_object('since', split_part($1::text, '/', 2)) AS facts`,
  },
  accounting_disconnected: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('organisation', organisation) AS facts
    FROM accounting_connections c WHERE c.workspace_id = $1 AND c.status = 'revoked'`,
  },
  reconciliation_differs: {
    of: ['about'],
    text: `SELECT jsonb_build_object('from', report -> 'from', 'to', report -> 'to',
      'differences', jsonb_array_length(report -> 'differences'), 'first',
        report #> '{differences,0,message}') AS facts
    FROM reconciliations WHERE id = $1::text`,
  },
  // Not if the window was changed or withdrawn in the meantime.
  maintenance_announced: {
    of: ['about', 'workspace_id'],
    text: `SELECT jsonb_build_object('starts_at', split_part($1::text, '/', 2),
      'ends_at', split_part($1::text, '/', 3)) AS facts
    FROM workspaces w WHERE w.id = $2
      AND w.maintenance_starts_at = split_part($1::text, '/', 2)::timestamptz
      AND w.maintenance_ends_at = split_part($1::text, '/', 3)::timestamptz`,
  },
  admin_added: {
    of: ['about'],
    text: `SELECT jsonb_build_object('name', a.name, 'email', a.email, 'action', e.type) AS facts
    FROM events e JOIN members a ON a.id = e.object_id
    WHERE e.id = $1::text AND a.role = 'admin' AND a.email IS NOT NULL`,
  },
  api_key_created: {
    of: ['about'],
    text: `SELECT jsonb_build_object('name', k.name, 'member', a.name,
      'scope', array_to_string(k.resources, ', ') || ' (' || array_to_string(k.actions, ', ') || ')',
      'fingerprint', (SELECT fingerprint FROM api_tokens t WHERE t.key_id = k.id ORDER BY t.created_at
        LIMIT 1)) AS facts
    FROM api_keys k JOIN members a ON a.id = k.member_id
    WHERE k.id = $1::text AND a.email IS NOT NULL`,
  },
  webhook_url_changed: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('url',
      (SELECT url FROM webhook_endpoints e WHERE e.workspace_id = $1)) AS facts`,
  },
  seller_text_changed: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('legal_address', w.legal_address,
      'payment_instructions', w.payment_instructions, 'invoice_details', w.invoice_details) AS facts
    FROM workspaces w WHERE w.id = $1`,
  },
  full_discount_saved: {
    of: ['about', 'workspace_id'],
    text: `SELECT jsonb_build_object('id', d.id, 'code', d.code) AS facts
    FROM discounts d WHERE d.id = split_part($1::text, ':', 1)::uuid AND d.workspace_id = $2`,
  },
  billing_address_changed: {
    of: ['about', 'workspace_id'],
    text: `SELECT jsonb_build_object('id', c.id, 'name', c.name, 'email', c.billing_email, 'address',
      c.address) AS facts
    FROM companies c WHERE c.id = split_part($1::text, ':', 1)::uuid AND c.workspace_id = $2`,
  },
  sso_changed: {
    of: ['workspace_id'],
    text: `SELECT jsonb_build_object('sign_in_name', (SELECT n.name FROM sign_in_names n
      WHERE n.workspace_id = $1 AND n.left_at IS NULL), 'name', c.name, 'provider', c.provider,
      'enabled', coalesce(c.enabled, false), 'required', coalesce(c.required, 'none')) AS facts
    FROM (SELECT) one LEFT JOIN sso_connections c ON c.workspace_id = $1`,
  },
  // Not if it has been replaced, or nobody uses it.
  sso_certificate_expires: {
    of: ['about', 'workspace_id'],
    text: `SELECT jsonb_build_object('name', c.name, 'not_after', split_part($1::text, '/', 4),
      'others', jsonb_array_length(c.provider -> 'certificates') - 1) AS facts
    FROM sso_connections c WHERE c.workspace_id = $2 AND c.enabled AND EXISTS (
      SELECT FROM jsonb_array_elements_text(c.provider -> 'certificates') pem
      WHERE encode(sha256(convert_to(pem, 'UTF8')), 'hex') = split_part($1::text, '/', 2))`,
  },
  recipients_limited: {
    of: [],
    text: `SELECT '{}'::jsonb AS facts`,
  },
  // Not if it has been released or replaced.
  mail_held: {
    of: ['about', 'workspace_id'],
    text: `SELECT jsonb_build_object('reason', h.reason) AS facts FROM mail_holds h
    WHERE h.workspace_id = $2 AND holds_mail(h)
      AND h.held_at = split_part($1::text, '/', 2)::timestamptz`,
  },
};

/** Reads the contents of a mail to the owner of a workspace; null if there is nothing left to report. */
export async function findOwnerMail(tx: Tx, mailId: string, kind: OwnerMailKind): Promise<OwnerMail | null> {
  const mail = await maybeOne<Omit<OwnerMail, 'facts'> & MailFacts>(
    tx,
    `SELECT mail.id, mail.kind, m.email AS to, m.name, w.id AS workspace_id, w.name AS workspace_name,
      w.time_zone,
            mail.about, mail.invoice_id
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
     WHERE mail.id = $1`,
    [mailId],
  );
  if (!mail) return null;
  const { about, workspace_id, invoice_id, ...rest } = mail;
  const values = { about, workspace_id, invoice_id };
  const { of, text } = OWNER_MAIL_FACTS[kind];
  const found = await maybeOne<Pick<OwnerMail, 'facts'>>(
    tx,
    text,
    of.map((name) => values[name]),
  );
  return found && ({ ...rest, workspace_id, ...found } as OwnerMail);
}
