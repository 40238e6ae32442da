import type { AccountingView } from '../../../domain/accounting.js';
import { many } from '../../query.js';
import type { Invoice } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** An invoice with the documents that the accounting system must have for it. */
export type AccountingInvoice = AccountingView &
  Pick<Invoice, 'id' | 'workspace_id' | 'number' | 'accounting_error'>;

/** An invoice with the documents that the accounting system must have and is known to have, or null. */
export async function findAccountingInvoice(tx: Tx, invoiceId: string): Promise<AccountingInvoice | null> {
  const [invoice] = await findAccountingInvoices(tx, [invoiceId]);
  return invoice ?? null;
}

/** The same for several invoices, by id. */
export function findAccountingInvoices(tx: Tx, invoiceIds: string[]): Promise<AccountingInvoice[]> {
  return many<AccountingInvoice>(tx, FIND_ACCOUNTING_INVOICES, [invoiceIds]);
}

/** SQL that is true for a credit adjustment `a` without failed refunds. */
const IS_VALID = `NOT EXISTS (SELECT FROM payments f WHERE f.adjustment_id = a.id AND f.status = 'failed')`;

/**
 * The documents of invoices: the lines of each invoice, the lines of each top-up, the refunds of a paid one (without any
 * excess over its total, which includes what was refunded before it was paid), and the credits. A credit includes its
 * refunds. If one of them has failed, the credit is left out and its other refunds count as refunds. What a bank took for
 * a dispute is a credit note, what it returned an invoice: nothing that a bookkeeper may have locked is changed.
 */
const DOCUMENTS = `WITH refunds AS (
    SELECT r.*, p.excess_minor AS excess,
           sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id) AS so_far
    FROM payments r JOIN payments p ON p.id = r.refund_of
    WHERE r.invoice_id = ANY ($1) AND r.kind = 'refund' AND r.status = 'succeeded'
  ), movements AS (
    SELECT m.id, p.invoice_id, m.created_at, m.amount_minor, p.amount_minor - p.excess_minor AS kept,
           -sum(m.amount_minor) OVER (PARTITION BY m.payment_id ORDER BY m.created_at, m.id) AS gone
    FROM dispute_movements m JOIN payments p ON p.id = m.payment_id WHERE p.invoice_id = ANY ($1)
  ), booked_movements AS (
    SELECT *, least(kept, greatest(0, gone)) - least(kept, greatest(0, gone + amount_minor)) AS taken FROM movements
  )
  SELECT invoice_id, source_id, kind, total_minor::bigint, settled,
         row_number() OVER (ORDER BY part, at, source_id) AS place FROM (
    SELECT invoice_id, invoice_id AS source_id, 'invoice' AS kind, sum(net_minor + tax_minor) AS total_minor,
           true AS settled, 0 AS part, NULL::timestamptz AS at
    FROM invoice_lines WHERE invoice_id = ANY ($1) AND payment_id IS NULL GROUP BY invoice_id
    UNION ALL
    SELECT l.invoice_id, l.payment_id, 'invoice', sum(l.net_minor + l.tax_minor), true, 1, min(p.created_at)
    FROM invoice_lines l JOIN payments p ON p.id = l.payment_id WHERE l.invoice_id = ANY ($1)
    GROUP BY l.invoice_id, l.payment_id
    UNION ALL
    SELECT i.id, r.id, 'credit_note',
           greatest(0, r.so_far - r.excess) - greatest(0, r.so_far - r.amount_minor - r.excess), true, 2, r.created_at
    FROM refunds r JOIN invoices i ON i.id = r.invoice_id
    WHERE i.status IN ('paid', 'refunded') AND NOT EXISTS (
      SELECT FROM adjustments a WHERE a.id = r.adjustment_id AND ${IS_VALID})
    UNION ALL
    SELECT invoice_id, id, CASE WHEN taken > 0 THEN 'credit_note' ELSE 'invoice' END, abs(taken), true, 2, created_at
    FROM booked_movements
    UNION ALL
    SELECT a.invoice_id, a.id, 'credit_note', -a.total_minor, coalesce((
             SELECT bool_and(r.status = 'succeeded') FROM payments r WHERE r.adjustment_id = a.id), false),
           2, a.created_at
    FROM adjustments a WHERE a.invoice_id = ANY ($1) AND a.kind = 'credit' AND ${IS_VALID}
  ) documents`;

/** One statement: an invoice is looked at before each write. A document without an amount is not sent. */
const FIND_ACCOUNTING_INVOICES = {
  name: 'find_accounting_invoices',
  text: `WITH documents AS (${DOCUMENTS}), expected AS (
    SELECT invoice_id, json_agg(json_build_object(
             'source_id', source_id, 'kind', kind, 'total_minor', total_minor, 'settled', settled) ORDER BY place) AS list
    FROM documents WHERE total_minor > 0 GROUP BY invoice_id
  ), known AS (
    SELECT invoice_id, json_agg(json_build_object(
             'source_id', source_id, 'kind', kind, 'status', status, 'reference', reference, 'total_minor', total_minor,
             'outstanding_minor', outstanding_minor, 'credited_minor', credited_minor)) AS list
    FROM accounting_documents WHERE invoice_id = ANY ($1) GROUP BY invoice_id
  )
  SELECT i.id, i.workspace_id, i.number, i.status, i.accounting_error, i.currency, i.accounting_reference,
         coalesce(e.list, '[]') AS expected, coalesce(k.list, '[]') AS known
  FROM invoices i LEFT JOIN expected e ON e.invoice_id = i.id LEFT JOIN known k ON k.invoice_id = i.id
  WHERE i.id = ANY ($1) ORDER BY i.id`,
};
