import type { AccountingStep } from '../../../domain/accounting.js';
import type {
  AccountMailKind,
  BookingMailKind,
  InvoiceMailKind,
  OwnerMailKind,
} from '../../../domain/mails.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { RefundStep } from '../../../domain/refund-policy.js';
import type { BookingStatus } from '../../../domain/states.js';
import type { BookingMoney } from '../../../domain/booking-money.js';
import type { RefundPart } from '../../../domain/refund-parts.js';
import type { DisabledReason } from '../../../domain/webhook-schedule.js';
import { maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { findChargeableCard } from '../billing/collection-queries.js';
import { findBookingMoney } from '../billing/booking-money-queries.js';
import {
  findBooker,
  findReplacement,
  listInvoiceMoney,
  type InvoiceMoney,
} from '../billing/invoice-money-queries.js';
import { findInvoiceById, type InvoiceRow } from '../billing/invoice-queries.js';
import { findPayer, type Payer } from '../billing/payer-queries.js';
import { listRefundParts } from '../billing/refund-part-queries.js';

/** The contents of a mail to the payer of a booking. */
export interface BookingMail {
  id: string;
  kind: BookingMailKind;
  booking_id: string;
  to: string;
  name: string;
  workspace_name: string;
  /** Who pays a booking on account, if that is a company. */
  company_name: string | null;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
  tax_minor: number;
  tax_rate_bps: number;
  status: BookingStatus;
  checkout_url: string | null;
  /** The end of the hold. */
  expires_at: Date | null;
  refund_steps: RefundStep[];
  refund_percent_cap: number;
  /** Whether the payer may cancel and move by the manage link. */
  self_service: boolean;
  /** Where the payer can book again. */
  booking_url: string | null;
  /** What its manage link is signed for. */
  booking: { id: string; manage_link_version: number | null };
  /** The amount of the refund that the mail is about, and all refunds of its cause. */
  refund_minor: number | null;
  refund_parts: RefundPart[];
  /** What was charged by the change that the mail is about, and the sum of its refunds; null for other mails. */
  charged_minor: number | null;
  change_refund_minor: number | null;
  /** The part of that sum that the workspace returns by hand. */
  change_by_hand_minor: number | null;
  /** The change that the mail is about, while the payer can pay it; its times are JSON. */
  pending: {
    url: string;
    amount_minor: number;
    expires_at: string;
    /** UTC milliseconds. */
    start_at: number;
    end_at: number;
    room_name: string;
    time_zone: string;
  } | null;
  /** Who cancelled the booking, if that is known: a request with a key says nothing about who wanted it. */
  cancelled_by: 'payer' | 'workspace' | null;
  money: BookingMoney;
  sequence: number;
  created_at: Date;
}

const FIND_BOOKING_MAIL = {
  name: 'find_booking_mail',
  text: `SELECT mail.id, mail.kind, mail.booking_id, coalesce(b.guest_email, m.email) AS to,
            coalesce(b.guest_name, m.name) AS name, w.name AS workspace_name, c.name AS company_name, r.name AS room_name, r.time_zone,
            b.start_at, b.end_at, b.currency, b.price_minor, b.tax_minor, b.tax_rate_bps, b.status, b.checkout_url,
            b.expires_at, r.refund_steps, b.refund_percent_cap::float8, r.self_service, w.booking_url, b.sequence,
            jsonb_build_object('id', b.id, 'manage_link_version', b.manage_link_version) AS booking, mail.created_at,
            refund.amount_minor AS refund_minor, refund.id AS refund_id, (change.outcome ->> 'charged_minor')::bigint AS charged_minor,
            (SELECT jsonb_build_object('url', k.url, 'amount_minor', k.amount_minor, 'expires_at', change.expires_at,
               'start_at', change.plan #> '{move,start_at}', 'end_at', change.plan #> '{move,end_at}',
               'room_name', t.name, 'time_zone', t.time_zone)
             FROM checkouts k JOIN rooms t ON t.id = (change.plan #>> '{move,room_id}')::uuid
             WHERE k.change_id = change.id AND change.state = 'pending') AS pending,
            (SELECT sum(p.amount_minor)::bigint FROM payments p
             WHERE p.id = ANY (ARRAY(SELECT jsonb_array_elements_text(change.outcome -> 'refund_ids')))) AS change_refund_minor,
            (SELECT sum(p.amount_minor)::bigint FROM payments p WHERE p.account_id IS NULL
               AND p.id = ANY (ARRAY(SELECT jsonb_array_elements_text(change.outcome -> 'refund_ids')))) AS change_by_hand_minor,
            (SELECT CASE WHEN c.actor ? 'guest' OR c.actor ->> 'member_id' = b.member_id THEN 'payer'
                         WHEN c.actor ->> 'key_id' IS NULL THEN 'workspace' END
             FROM booking_changes c WHERE c.booking_id = b.id AND c.kind = 'cancel' AND c.outcome ? 'refund_policy')
              AS cancelled_by
     FROM mails mail
     JOIN bookings b ON b.id = mail.booking_id
     JOIN rooms r ON r.id = b.room_id
     JOIN workspaces w ON w.id = b.workspace_id
     LEFT JOIN payments refund ON refund.id = mail.about
     LEFT JOIN booking_changes change ON change.id = mail.about
     LEFT JOIN members m ON m.id = b.member_id
     LEFT JOIN companies c ON c.id = b.company_id
     WHERE mail.id = $1 AND num_nonnulls(b.guest_email, m.email) = 1`,
};

/** Reads the contents of a mail to the payer of a booking; null if the payer was erased. */
export async function findBookingMail(tx: Tx, mailId: string): Promise<BookingMail | null> {
  const found = await maybeOne<Omit<BookingMail, 'money' | 'refund_parts'> & { refund_id: string | null }>(
    tx,
    FIND_BOOKING_MAIL,
    [mailId],
  );
  if (!found) return null;
  const { refund_id, ...mail } = found;
  const refund_parts = refund_id ? await listRefundParts(tx, refund_id) : [];
  return { ...mail, refund_parts, money: await findBookingMoney(tx, mail.booking_id) };
}

/** The contents of a mail about an invoice. */
export interface InvoiceMail {
  id: string;
  kind: InvoiceMailKind;
  workspace_name: string;
  /** The workspace's. */
  time_zone: string;
  invoice: InvoiceRow;
  outstanding_minor: number;
  payer: Payer & { email: string };
  /** The invoice as PDF. */
  attachment: Buffer | null;
  /** The payment that the mail is about. */
  money: InvoiceMoney | null;
  /** All refunds of the cause that the mail is about. */
  refund_parts: RefundPart[];
  /** Who booked what it is for; null if that is the payer, or for an invoice of no booking. */
  booked_by: string | null;
  /** The invoice that took its place when it was voided, and the one whose place it took. */
  replaced_by: { accounting_reference: string; total_minor: number } | null;
  replaces: string | null;
  /** Why the last charge to the card on file was refused. */
  refusal_code: string | null;
  /** The card that is charged when the invoice is due, by its last digits. */
  autopay_last4: string | null;
}

/** Reads the contents of a mail about an invoice; null if its payer has no address. */
export async function findInvoiceMail(tx: Tx, mailId: string): Promise<InvoiceMail | null> {
  type MailOnly = Pick<
    InvoiceMail,
    'id' | 'kind' | 'attachment' | 'workspace_name' | 'time_zone' | 'replaces' | 'refusal_code'
  > & { invoice_id: string; about: string };
  const { invoice_id, about, ...mail } = await one<MailOnly>(
    tx,
    `SELECT mail.id, mail.kind, mail.invoice_id, mail.about, mail.attachment, w.name AS workspace_name, w.time_zone,
            (SELECT r.accounting_reference FROM invoices i JOIN invoices r ON r.id = i.adjusts AND r.status = 'void'
             WHERE i.id = mail.invoice_id) AS replaces, (SELECT refusal_code FROM checkouts c
              WHERE c.invoice_id = mail.invoice_id AND c.refusal_code IS NOT NULL
              ORDER BY c.created_at DESC LIMIT 1) AS refusal_code
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id
     WHERE mail.id = $1`,
    [mailId],
  );
  const payer = await findPayer(tx, invoice_id);
  if (!payer.email) return null;
  const invoice = (await findInvoiceById(tx, invoice_id))!;
  const outstanding_minor = outstandingOf(invoice);
  const card = outstanding_minor > 0 ? await findChargeableCard(tx, invoice, outstanding_minor) : null;
  const booked_by = invoice.booking_id && (await findBooker(tx, invoice.booking_id));
  return {
    ...mail,
    money: (await listInvoiceMoney(tx, invoice_id)).find(({ id }) => id === about) ?? null,
    refund_parts: mail.kind === 'invoice_refunded' ? await listRefundParts(tx, about) : [],
    booked_by: booked_by === payer.name ? null : booked_by,
    replaced_by: await findReplacement(tx, invoice_id),
    autopay_last4: card?.last4 ?? null,
    invoice,
    outstanding_minor,
    payer: { ...payer, email: payer.email },
  };
}

interface RefundMailFacts {
  payment_id: string;
  booking_id: string | null;
  amount_minor: number;
  currency: string;
}

/** What each kind of mail to an owner reports. */
export interface OwnerMailFacts {
  webhook_endpoint_disabled: { url: string; reason: DisabledReason };
  refund_failed: RefundMailFacts;
  refund_unfunded: RefundMailFacts;
  /** `status` is that of the report; `due_by` in ISO 8601, null if there is no deadline. */
  payment_disputed: RefundMailFacts & {
    dispute_id: string;
    status: 'inquiry' | 'open' | 'lost';
    due_by: string | null;
  };
  /** `reason` is the accounting system's own text; null if the problem no longer exists. */
  accounting_failed: {
    invoice_id: string;
    accounting_reference: string;
    write: AccountingStep['do'];
    reason: string | null;
  };
  accounting_disconnected: { organisation: string };
  /** `first` is the first difference. */
  reconciliation_differs: { from: string; to: string; differences: number; first: string };
  /** Times in ISO 8601. */
  maintenance_announced: { starts_at: string; ends_at: string };
  admin_added: { name: string; email: string };
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

/** SQL for the facts of a mail `mail` to an owner, as one JSON object; no row if there is nothing left to report. */
const OWNER_MAIL_FACTS: Record<OwnerMailKind, string> = {
  webhook_endpoint_disabled: `SELECT jsonb_build_object('url', url, 'reason', disabled_reason)
    FROM webhook_endpoints e WHERE e.workspace_id = mail.workspace_id AND e.status = 'disabled'`,
  refund_failed: REFUND_FACTS,
  refund_unfunded: `${REFUND_FACTS} AND status = 'pending'`,
  payment_disputed: `SELECT jsonb_build_object('payment_id', p.id, 'booking_id', p.booking_id, 'dispute_id', d.id,
      'amount_minor', d.amount_minor, 'currency', p.currency, 'status', d.status, 'due_by', d.due_by)
    FROM disputes d JOIN payments p ON p.id = d.payment_id
    WHERE mail.about = d.id || ':' || d.status`,
  accounting_failed: `SELECT jsonb_build_object('invoice_id', id, 'accounting_reference', accounting_reference,
      'write', split_part(mail.about, ':', 2), 'reason', accounting_error)
    FROM invoices WHERE id = mail.invoice_id`,
  accounting_disconnected: `SELECT jsonb_build_object('organisation', organisation)
    FROM accounting_connections c WHERE c.workspace_id = mail.workspace_id AND c.status = 'revoked'`,
  reconciliation_differs: `SELECT jsonb_build_object('from', report -> 'from', 'to', report -> 'to',
      'differences', jsonb_array_length(report -> 'differences'), 'first', report #> '{differences,0,message}')
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
};

/** Reads the contents of a mail to the owner of a workspace; null if there is nothing left to report. */
export function findOwnerMail(tx: Tx, mailId: string, kind: OwnerMailKind): Promise<OwnerMail | null> {
  return maybeOne<OwnerMail>(
    tx,
    `SELECT mail.id, mail.kind, m.email AS to, m.name, w.id AS workspace_id, w.name AS workspace_name, w.time_zone, facts.facts
     FROM mails mail
     JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
     CROSS JOIN LATERAL (${OWNER_MAIL_FACTS[kind]}) facts (facts)
     WHERE mail.id = $1`,
    [mailId],
  );
}

/** The contents of the mail that tells the previous address of a member that they have another one. */
export interface AddressChangedMail {
  id: string;
  to: string;
  workspace_name: string;
}

/** Reads the contents of the mail to a member's previous address; null if the member was erased. */
export function findAddressChangedMail(tx: Tx, mailId: string): Promise<AddressChangedMail | null> {
  return maybeOne<AddressChangedMail>(
    tx,
    `SELECT mail.id, e.body #>> '{data,previous,email}' AS to, w.name AS workspace_name
     FROM mails mail JOIN events e ON e.id = mail.about JOIN workspaces w ON w.id = mail.workspace_id
     WHERE mail.id = $1 AND e.body #>> '{data,previous,email}' IS NOT NULL`,
    [mailId],
  );
}

/** The contents of a mail to a person about their account. */
export interface AccountMail {
  id: string;
  kind: AccountMailKind;
  to: string;
  created_at: Date;
}

/** Reads the contents of a mail to a person about their account. */
export function findAccountMail(tx: Tx, mailId: string): Promise<AccountMail | null> {
  return maybeOne<AccountMail>(
    tx,
    `SELECT mail.id, mail.kind, p.email AS to, mail.created_at
     FROM mails mail JOIN profiles p ON p.id = mail.profile_id WHERE mail.id = $1`,
    [mailId],
  );
}
