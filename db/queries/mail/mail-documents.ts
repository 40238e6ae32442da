import { ADDED, CANCELLED } from '../../../domain/invoices/document.js';
import { InvoiceDocument } from '../../entities/invoices.js';
import { selectAll } from '../../entities.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { listRefundParts, ON_ACCOUNT } from '../payments/refund-part.js';
import type { DueMail } from './mail-queue.js';

const OF_INVOICE = `SELECT invoice_id FROM mails WHERE id = $1`;

/** The refunds that a mail is about, and the adjustment that they are for. */
const OF_REFUNDS = `SELECT unnest(ARRAY[id, adjustment_id]) FROM payments
  WHERE id = ANY ($1) AND status <> 'failed'`;

/**
 * The refund alone: mail before it had the credit note of the adjustment. One that failed has what
 * cancels its credit note.
 */
const OF_REFUND = `SELECT p.id || CASE p.status WHEN 'failed' THEN '${CANCELLED}' ELSE '' END
  FROM mails m JOIN payments p ON p.id = m.about WHERE m.id = $1`;

/**
 * SQL of the refunds `p` of a mail's booking. What goes to the payer of an invoice on
 * account has a mail of its own.
 */
const TOLD_REFUNDS = `FROM mails m JOIN bookings b ON b.id = m.booking_id
  JOIN payments p ON p.booking_id = b.id AND p.kind = 'refund'
    JOIN payments paid ON paid.id = p.refund_of AND NOT ${ON_ACCOUNT}`;

/**
 * SQL for what the documents that a mail carries are about, by its kind. `$1`: the mail's id,
 * or those of its refunds.
 */
const SOURCES: Partial<Record<DueMail['kind'], string>> = {
  invoice: OF_INVOICE,
  invoice_opened: OF_INVOICE,
  // What is on account is mailed to the payer as an invoice. One that is sent again
  // has what was issued since.
  booking_confirmed: `SELECT issued.source_id FROM mails m JOIN bookings b ON b.id = m.booking_id
    JOIN invoices i ON i.id = b.invoice_id JOIN invoice_documents issued ON issued.invoice_id = i.id
    WHERE m.id = $1 AND i.status = 'paid' AND i.company_id IS NULL`,
  invoice_voided: `SELECT invoice_id || '${CANCELLED}' FROM mails WHERE id = $1`,
  booking_changed: `SELECT unnest(ARRAY[c.outcome ->> 'payment_id', c.id, c.id || '${ADDED}'])
    FROM mails m JOIN booking_changes c ON c.id = m.about WHERE m.id = $1
    UNION ALL SELECT p.id ${TOLD_REFUNDS}
    JOIN booking_changes c ON c.id = m.about AND c.outcome -> 'refund_ids' ? p.id
    WHERE m.id = $1 AND p.status <> 'failed'`,
  booking_cancelled: `SELECT unnest(ARRAY[p.id, p.adjustment_id]) ${TOLD_REFUNDS}
    WHERE m.id = $1 AND p.purpose = 'cancellation' AND p.status <> 'failed'`,
  invoice_refunded: OF_REFUNDS,
  payment_refunded: OF_REFUNDS,
  invoice_refund_ended: OF_REFUND,
  payment_refund_ended: OF_REFUND,
  invoice_refund_returned: OF_REFUND,
  payment_refund_returned: OF_REFUND,
};

/** The documents that a mail carries (docs/rules/mail.md#documents). */
export async function listMailDocuments(
  tx: Tx,
  { id, kind, about }: Pick<DueMail, 'id' | 'kind' | 'about'>,
): Promise<InvoiceDocument[]> {
  const sources = SOURCES[kind];
  if (!sources) return [];
  const of = sources === OF_REFUNDS ? (await listRefundParts(tx, about)).map((refund) => refund.id) : id;
  const documents = {
    name: `list_mail_documents_${kind}`,
    text: `SELECT ${selectAll(InvoiceDocument, 'd')} FROM invoice_documents d
      WHERE d.source_id IN (${sources}) ORDER BY d.created_at, d.number`,
  };
  return many<InvoiceDocument>(tx, documents, [of]);
}
