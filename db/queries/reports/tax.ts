import type { RateTotals, TaxedDocument, TaxedInvoice } from '../../../domain/reports/tax.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A period `[from, to)`. */
interface Period {
  from: Date;
  to: Date;
}

/**
 * Returns net and tax of the documents that a workspace issued in a period, by currency and rate; credit
 * notes are subtracted.
 */
export function sumDocumentTax(
  tx: Tx,
  workspaceId: string,
  { from, to }: Period,
): Promise<(RateTotals & { currency: string })[]> {
  return many<RateTotals & { currency: string }>(
    tx,
    `SELECT d.terms ->> 'currency' AS currency, l.tax_rate_bps,
            sum(CASE d.kind WHEN 'credit_note' THEN -l.net_minor ELSE l.net_minor END)::bigint AS net_minor,
            sum(CASE d.kind WHEN 'credit_note' THEN -l.tax_minor ELSE l.tax_minor END)::bigint AS tax_minor
     FROM invoice_documents d
       CROSS JOIN jsonb_to_recordset(d.lines) AS l (tax_rate_bps int, net_minor bigint, tax_minor bigint)
     WHERE d.workspace_id = $1 AND d.issued_at >= $2 AND d.issued_at < $3
     GROUP BY 1, 2`,
    [workspaceId, from, to],
  );
}

/** An instant in JSON. */
type InJson<T> = T extends Date ? string : T extends object ? { [K in keyof T]: InJson<T[K]> } : T;

const toMoney = ({ at, amount_minor }: { at: string; amount_minor: number }) => ({
  at: new Date(at),
  amount_minor,
});

/**
 * Returns the invoices with documents whose money moved in a period, or that got a document in it, with all
 * their documents and money.
 */
export async function listTaxedInvoices(
  tx: Tx,
  workspaceId: string,
  { from, to }: Period,
): Promise<TaxedInvoice[]> {
  const rows = await many<InJson<TaxedInvoice>>(
    tx,
    // moved_at is written out, as in the indexes.
    `WITH moved AS (
       SELECT p.invoice_id AS id FROM payments p
       WHERE p.workspace_id = $1 AND coalesce(p.settled_at, p.paid_at, p.created_at) >= $2
         AND coalesce(p.settled_at, p.paid_at, p.created_at) < $3
       UNION
       SELECT r.invoice_id FROM payments r
       WHERE r.workspace_id = $1 AND r.kind = 'refund' AND r.status = 'failed'
         AND r.succeeded_at >= $2 AND r.succeeded_at < $3
       UNION
       SELECT p.invoice_id FROM disputes s JOIN dispute_movements m
         ON m.dispute_id = s.id AND m.created_at >= $2 AND m.created_at < $3
       JOIN payments p ON p.id = m.payment_id WHERE s.workspace_id = $1
       UNION
       SELECT d.invoice_id FROM invoice_documents d
       WHERE d.workspace_id = $1 AND d.issued_at >= $2 AND d.issued_at < $3 AND d.kind <> 'invoice'
     )
     SELECT i.currency,
       (SELECT json_agg(json_build_object('source_id', d.source_id, 'kind', d.kind, 'issued_at', d.issued_at,
                 'lines', d.lines, 'cancels', d.cancels,
                 'is_adjustment', EXISTS (SELECT FROM adjustments a WHERE a.id = d.source_id),
                 'money', (SELECT coalesce(json_agg(json_build_object('at', m.at,
                   'amount_minor', m.amount_minor)), '[]') FROM money_of_document(i.id, d) m))
               ORDER BY d.issued_at, d.number)
        FROM invoice_documents d WHERE d.invoice_id = i.id) AS documents,
       (SELECT coalesce(json_agg(json_build_object('at', m.at, 'amount_minor', m.amount_minor)), '[]')
        FROM money_paid_again(i) m) AS paid_again
     FROM moved JOIN invoices i ON i.id = moved.id
     WHERE EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)`,
    [workspaceId, from, to],
  );
  return rows.map(({ currency, documents, paid_again }) => ({
    currency,
    documents: documents.map((document) => ({
      ...(document as unknown as TaxedDocument),
      issued_at: new Date(document.issued_at),
      money: document.money.map(toMoney),
    })),
    paid_again: paid_again.map(toMoney),
  }));
}
