import type { AccountingView, KnownDocument } from '../../../domain/accounting/documents.js';
import { byIds, manyByIds } from '../../query.js';
import type { AccountingDocument } from '../../entities/accounting.js';
import type { Invoice } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** An invoice with the documents that the accounting system must have for it. */
export type AccountingInvoice = Omit<AccountingView, 'known'> &
  Pick<Invoice, 'id' | 'workspace_id' | 'number' | 'accounting_error'> & {
    known: (KnownDocument & Pick<AccountingDocument, 'number' | 'accounting_id'>)[];
    /** The version of its pending update; null if none is pending. */
    due_version: number | null;
    /** True until a worker has made the first attempt: no run may write. */
    is_first_attempt: boolean;
  };

/**
 * The documents of invoices that the books must have: each invoice's own, also before it is issued, and its
 * other documents. A credit note for an adjustment is settled by the adjustment's refunds, or by the
 * document that cancels it.
 */
const documentsOf = (
  invoices: string,
): string => `SELECT i.id AS invoice_id, i.id AS source_id, 'invoice' AS kind,
    i.document_number AS number, coalesce(d.total_minor, (
      SELECT sum(l.net_minor + l.tax_minor) FROM invoice_lines l
      WHERE l.invoice_id = i.id AND l.payment_id IS NULL AND l.change_id IS NULL
    ), 0)::bigint AS total_minor, true AS settled, NULL::timestamptz AS at
  FROM invoices i LEFT JOIN invoice_documents d ON d.source_id = i.id WHERE i.id ${invoices}
  UNION ALL
  SELECT d.invoice_id, d.source_id, CASE d.kind WHEN 'supplement' THEN 'invoice' ELSE d.kind END, d.number,
    d.total_minor, a.id IS NULL OR coalesce((
      SELECT bool_and(r.status = 'succeeded') FROM payments r WHERE r.adjustment_id = a.id), false)
      OR EXISTS (SELECT FROM invoice_documents c WHERE c.invoice_id = d.invoice_id
        AND c.cancels = d.source_id), d.created_at
  FROM invoice_documents d LEFT JOIN adjustments a ON a.id = d.source_id
  WHERE d.invoice_id ${invoices} AND d.kind <> 'invoice'`;

/**
 * SQL. One statement: an invoice is looked at before each write. A document without an amount is not sent.
 */
const viewOf = (invoices: string): string => `WITH documents AS (${documentsOf(invoices)}), expected AS (
    SELECT invoice_id, json_agg(json_build_object(
             'source_id', source_id, 'kind', kind, 'number', number, 'total_minor', total_minor,
             'settled', settled)
             ORDER BY at NULLS FIRST, number) AS list
    FROM documents WHERE total_minor > 0 GROUP BY invoice_id
  ), known AS (
    SELECT invoice_id, json_agg(json_build_object(
             'source_id', source_id, 'kind', kind, 'number', number, 'accounting_id', accounting_id,
             'status', status,
             'reference', reference, 'total_minor', total_minor, 'outstanding_minor', outstanding_minor,
             'credited_minor', credited_minor)) AS list
    FROM accounting_documents WHERE invoice_id ${invoices} GROUP BY invoice_id
  )
  SELECT i.id, i.workspace_id, i.number, i.status, i.accounting_error, i.currency, i.accounting_reference,
         coalesce(e.list, '[]') AS expected, coalesce(k.list, '[]') AS known, due.version AS due_version,
         due.first_attempt_until IS NOT NULL AS is_first_attempt
  FROM invoices i LEFT JOIN expected e ON e.invoice_id = i.id LEFT JOIN known k ON k.invoice_id = i.id
    LEFT JOIN accounting_due due ON due.invoice_id = i.id
  WHERE i.id ${invoices} ORDER BY i.id`;

const ACCOUNTING_INVOICES = byIds('accounting_invoice', viewOf);

/** An invoice with the documents that the accounting system must have and is known to have, or null. */
export async function findAccountingInvoice(tx: Tx, invoiceId: string): Promise<AccountingInvoice | null> {
  const [invoice] = await findAccountingInvoices(tx, [invoiceId]);
  return invoice ?? null;
}

/** The same for several invoices, by id. */
export function findAccountingInvoices(tx: Tx, invoiceIds: string[]): Promise<AccountingInvoice[]> {
  return manyByIds<AccountingInvoice>(tx, ACCOUNTING_INVOICES, invoiceIds);
}
