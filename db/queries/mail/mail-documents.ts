import { InvoiceDocument } from '../../entities/invoices.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { listRefundParts } from '../payments/refund-part.js';
import type { DueMail } from './mail-queue.js';

const OF_INVOICE = `SELECT d.* FROM mails m JOIN invoice_documents d ON d.source_id = m.invoice_id
  WHERE m.id = $1`;

/** The documents of the refunds `$1` that a mail is about, and of the adjustment they are for. */
const OF_REFUNDS = `SELECT d.* FROM invoice_documents d WHERE d.source_id IN (
    SELECT unnest(ARRAY[p.id, p.adjustment_id]) FROM payments p WHERE p.id = ANY ($1)
      AND p.status <> 'failed')
  ORDER BY d.created_at, d.number`;

/**
 * Only the documents of the refund, because earlier mail had the credit note of the adjustment. For a refund
 * that failed, it is the document that cancels its credit note.
 */
const OF_REFUND = `SELECT d.* FROM mails m JOIN payments p ON p.id = m.about
  JOIN invoice_documents d ON d.source_id = p.id || CASE p.status WHEN 'failed' THEN '-cancelled' ELSE '' END
  WHERE m.id = $1`;

/**
 * Statements for the documents that a mail contains, by its kind. `$1`: the mail's id, or those of its
 * refunds.
 */
const DOCUMENTS: Partial<Record<DueMail['kind'], string>> = {
  invoice: OF_INVOICE,
  invoice_opened: OF_INVOICE,
  // What is on account is mailed to the payer as an invoice. A mail that is sent again contains what was
  // issued since.
  booking_confirmed: `SELECT d.* FROM mails m JOIN bookings b ON b.id = m.booking_id
    JOIN invoices i ON i.id = b.invoice_id JOIN invoice_documents d ON d.invoice_id = i.id
    WHERE m.id = $1 AND i.status IN ('paid', 'refunded') AND i.company_id IS NULL
    ORDER BY d.created_at, d.number`,
  invoice_voided: `SELECT d.* FROM mails m
    JOIN invoice_documents d ON d.source_id = m.invoice_id || '-cancelled'
    WHERE m.id = $1`,
  booking_changed: `SELECT d.* FROM invoice_documents d WHERE d.source_id IN (
      SELECT unnest(ARRAY[c.outcome ->> 'payment_id', c.id, c.id || '-added'])
      FROM mails m JOIN booking_changes c ON c.id = m.about WHERE m.id = $1
      UNION ALL
      SELECT p.id FROM mails m JOIN bookings b ON b.id = m.booking_id
      JOIN payments p ON p.booking_id = b.id AND p.kind = 'refund' AND p.status <> 'failed'
      -- The payer of an invoice on account gets a separate mail.
      JOIN payments paid ON paid.id = p.refund_of AND NOT is_on_account(b, paid)
      JOIN booking_changes c ON c.id = m.about AND c.outcome -> 'refund_ids' ? p.id WHERE m.id = $1)
    ORDER BY d.created_at, d.number`,
  booking_cancelled: `SELECT d.* FROM invoice_documents d WHERE d.source_id IN (
      SELECT unnest(ARRAY[p.id, p.adjustment_id]) FROM mails m JOIN bookings b ON b.id = m.booking_id
      JOIN payments p ON p.booking_id = b.id AND p.kind = 'refund' AND p.status <> 'failed'
      JOIN payments paid ON paid.id = p.refund_of AND NOT is_on_account(b, paid)
      WHERE m.id = $1 AND p.purpose = 'cancellation')
    ORDER BY d.created_at, d.number`,
  invoice_refunded: OF_REFUNDS,
  payment_refunded: OF_REFUNDS,
  invoice_refund_ended: OF_REFUND,
  payment_refund_ended: OF_REFUND,
  invoice_refund_returned: OF_REFUND,
  payment_refund_returned: OF_REFUND,
};

/** Lists the documents that a mail contains (docs/rules/mail.md#documents). */
export async function listMailDocuments(
  tx: Tx,
  { id, kind, about }: Pick<DueMail, 'id' | 'kind' | 'about'>,
): Promise<InvoiceDocument[]> {
  const text = DOCUMENTS[kind];
  if (!text) return [];
  const of = text === OF_REFUNDS ? (await listRefundParts(tx, about)).map((refund) => refund.id) : id;
  return many<InvoiceDocument>(tx, { name: `list_mail_documents_${kind}`, text }, [of]);
}
