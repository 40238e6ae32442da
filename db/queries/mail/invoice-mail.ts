import type { Numbered } from '../../../domain/invoices/words.js';
import { REFUND_ENDED, type InvoiceMailKind } from '../../../domain/mail/kinds.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { RefundPart } from '../../../domain/payments/refund-parts.js';
import type { Payment } from '../../entities/payments.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { findChargeableCard } from '../invoices/collection.js';
import {
  findBooker,
  findReplacement,
  type Replacement,
  listInvoiceMoney,
  type InvoiceMoney,
} from '../invoices/money.js';
import { findInvoiceById, type InvoiceRow } from '../invoices/invoice.js';
import { namedLines } from '../invoices/named-lines.js';
import { findPayer, type Payer } from '../invoices/payer.js';
import { findPaymentCauses } from '../payments/refund.js';
import { listMailDocuments } from './mail-documents.js';
import { listPartsToTell, mailedRefunds, type MailedRefund } from '../payments/refund-part.js';
import type { Language } from '../../../domain/words/languages.js';

/** The contents of a mail about an invoice. */
export interface InvoiceMail {
  id: string;
  kind: InvoiceMailKind;
  workspace_name: string;
  locale: Language;
  /** The workspace's time zone. */
  time_zone: string;
  invoice: InvoiceRow;
  outstanding_minor: number;
  payer: Payer & { email: string };
  /** The payment that the mail is about. */
  money: InvoiceMoney | null;
  /** All refunds of the cause that the mail is about. */
  refund_parts: RefundPart[];
  /** Why the mail's refund was made; null for a mail about something else. */
  refund_purpose: Payment['purpose'];
  /** The number of credit notes that the mail contains. */
  credit_notes: number;
  /** Those of the refunds that it reports as on their way or made. */
  told_refunds: MailedRefund[];
  /** Who booked what it is for; null if that is the payer, or for an invoice without a booking. */
  booked_by: string | null;
  /** The invoice that replaced it when it was voided, and the invoice that it replaced. */
  replaced_by: Replacement | null;
  replaces: Numbered | null;
  /** It became void because its booking was cancelled. */
  ended_with_booking: boolean;
  /**
   * The reason that was given for what the mail is about: the end of the invoice, the adjustment or the
   * refund.
   */
  reason: string | null;
  /** Why the last charge to the card on file was declined. */
  refusal_code: string | null;
  /** The last digits of the card that is charged when the invoice is due. */
  autopay_last4: string | null;
}

/** Prepared, since planning it takes longer than running it. */
const FIND_MAIL = {
  name: 'find_invoice_mail',
  text: `SELECT mail.id, mail.kind, mail.invoice_id, mail.about, w.name AS workspace_name, w.locale,
    w.time_zone,
          (SELECT to_json(r) FROM invoices i JOIN invoices r ON r.id = i.adjusts AND r.status = 'void'
           WHERE i.id = mail.invoice_id) AS replaces, (SELECT refusal_code FROM checkouts c
            WHERE c.invoice_id = mail.invoice_id AND c.refusal_code IS NOT NULL
            ORDER BY c.created_at DESC LIMIT 1) AS refusal_code,
          (SELECT purpose FROM payments WHERE id = mail.about) AS refund_purpose,
          coalesce(b.cancelled_at = i.voided_at, false) AS ended_with_booking,
          CASE mail.kind WHEN 'invoice_voided' THEN void_reason(i)
            ELSE (SELECT reason FROM adjustments WHERE debit_invoice_id = i.id) END AS reason
   FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id
   JOIN invoices i ON i.id = mail.invoice_id LEFT JOIN bookings b ON b.id = i.booking_id
   WHERE mail.id = $1`,
};

/** Reads the contents of a mail about an invoice; null if its payer has no address. */
export async function findInvoiceMail(tx: Tx, mailId: string): Promise<InvoiceMail | null> {
  type MailOnly = Pick<
    InvoiceMail,
    | 'id'
    | 'kind'
    | 'workspace_name'
    | 'locale'
    | 'time_zone'
    | 'replaces'
    | 'ended_with_booking'
    | 'refund_purpose'
    | 'reason'
    | 'refusal_code'
  > & { invoice_id: string; about: string };
  const { invoice_id, about, ...mail } = await one<MailOnly>(tx, FIND_MAIL, [mailId]);
  const payer = await findPayer(tx, invoice_id);
  if (!payer.email) return null;
  const invoice = (await findInvoiceById(tx, invoice_id))!;
  const outstanding_minor = outstandingMinor(invoice);
  const card = outstanding_minor > 0 ? await findChargeableCard(tx, invoice, outstanding_minor) : null;
  const isRefund = mail.kind === 'invoice_refunded' || REFUND_ENDED.includes(mail.kind);
  const refund_parts = isRefund ? await listPartsToTell(tx, mail.kind, about) : [];
  const documents = mail.kind === 'invoice_refunded' ? await listMailDocuments(tx, { ...mail, about }) : [];
  const booked_by = invoice.booking_id && (await findBooker(tx, invoice.booking_id));
  return {
    ...mail,
    locale: payer.locale ?? mail.locale,
    reason: mail.kind === 'invoice_refunded' ? await reasonOfRefund(tx, about) : mail.reason,
    money:
      about === invoice_id
        ? null
        : ((await listInvoiceMoney(tx, invoice_id)).find(({ id }) => id === about) ?? null),
    refund_parts,
    credit_notes: documents.filter(({ kind }) => kind === 'credit_note').length,
    told_refunds: mailedRefunds(refund_parts),
    booked_by: booked_by === payer.name ? null : booked_by,
    replaced_by: invoice.status === 'void' ? await findReplacement(tx, invoice_id) : null,
    autopay_last4: card?.last4 ?? null,
    invoice: { ...invoice, lines: await namedLines(tx, invoice) },
    outstanding_minor,
    payer: { ...payer, email: payer.email },
  };
}

const reasonOfRefund = async (tx: Tx, refundId: string): Promise<string | null> =>
  (await findPaymentCauses(tx, [refundId])).get(refundId)?.reason ?? null;
