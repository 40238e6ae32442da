import { column, many } from '../../query.js';
import type { InvoiceDocument } from '../../entities/invoices.js';
import { whyNoDocument, type NoDocumentReason } from '../../../domain/invoices/document-number.js';
import type { DocumentTerms } from '../../../domain/invoices/document.js';
import type { Totals } from '../../../domain/invoices/invoice.js';
import type { BookingStatus, InvoiceStatus } from '../../../domain/states.js';
import type { Tx } from '../../transaction.js';
import { storedFilter, type InvoiceFilter } from './invoice.js';

type Filter = Omit<InvoiceFilter, 'after' | 'limit'>;

/** The period `[from, to)` in which documents were issued. */
interface Period {
  from?: Date;
  to?: Date;
}

/** A document as it was issued, or a number that became void without one. */
export type IssuedDocument = Pick<
  InvoiceDocument,
  'source_id' | 'invoice_id' | 'kind' | 'number' | 'payment_id' | 'lines' | 'cancels' | 'payer' | keyof Totals
> & {
  /** When it was issued, or became void without being issued. */
  at: Date;
  /** When its number became void without a document; null for an issued document. */
  voided_at: Date | null;
  terms: Pick<DocumentTerms, 'currency' | 'reference' | 'booking' | 'due_at' | 'reason' | 'parties'>;
  /** Why its number is void without a document; null for an issued document. */
  unissued: NoDocumentReason | null;
};

/**
 * Lists what was issued in a period for the invoices of a filter, and the numbers that became void without a
 * document, newest first.
 */
export async function listIssuedDocuments(
  tx: Tx,
  filter: Filter,
  period: Period,
  { after, limit }: { after: IssuedDocument | undefined; limit: number },
): Promise<IssuedDocument[]> {
  const listed = await many<
    Omit<IssuedDocument, 'unissued'> & {
      ended: { status: InvoiceStatus; booking: BookingStatus | null } | null;
    }
  >(
    tx,
    `SELECT * FROM (
       SELECT d.source_id, d.invoice_id, d.kind, d.number, d.issued_at AS at, d.net_minor, d.tax_minor,
         d.total_minor,
              d.payment_id, d.lines, d.terms, NULL::timestamptz AS voided_at, d.cancels, d.payer,
                NULL::json AS ended
       FROM invoice_documents d JOIN filtered_invoices($1) i ON i.id = d.invoice_id
       UNION ALL
       SELECT i.id, i.id, 'invoice', i.document_number, void.at, 0, 0, 0, NULL, '[]', jsonb_build_object(
                'currency', i.currency, 'reference', i.accounting_reference, 'booking', b.reference, 'due_at',
                  i.due_at,
                'reason', NULL, 'parties', coalesce(i.parties, '{}')),
              void.at, NULL, person_paying(i.id), json_build_object('status', i.status, 'booking', b.status)
       FROM filtered_invoices($1) i LEFT JOIN bookings b ON b.id = i.booking_id
       CROSS JOIN LATERAL (
         SELECT coalesce(i.voided_at, i.cancelled_at, i.paid_at) AS at
         WHERE NOT EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)) void
       WHERE i.document_number IS NOT NULL AND (i.status IN ('void', 'cancelled') OR i.total_minor = 0)
         AND void.at IS NOT NULL
     ) listed
     WHERE ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)
       AND ($4::timestamptz IS NULL OR (at, source_id) < ($4, $5))
     ORDER BY at DESC, source_id DESC LIMIT $6`,
    [
      storedFilter(filter),
      period.from ?? null,
      period.to ?? null,
      after?.at ?? null,
      after?.source_id ?? null,
      limit,
    ],
  );
  return listed.map(({ ended, ...document }) => ({
    ...document,
    unissued:
      ended && whyNoDocument({ status: ended.status, total_minor: document.total_minor }, ended.booking),
  }));
}

/** What documents in one currency charge together. Minor units. */
export interface IssuedTotals extends Totals {
  currency: string;
}

/** Returns what those documents charge together, by currency; credit notes are subtracted. */
export function sumIssuedDocuments(tx: Tx, filter: Filter, { from, to }: Period): Promise<IssuedTotals[]> {
  return many<IssuedTotals>(
    tx,
    `SELECT i.currency, sum(signed.sign * d.net_minor)::bigint AS net_minor,
            sum(signed.sign * d.tax_minor)::bigint AS tax_minor,
              sum(signed.sign * d.total_minor)::bigint AS total_minor
     FROM invoice_documents d JOIN filtered_invoices($1) i ON i.id = d.invoice_id,
          LATERAL (SELECT CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END AS sign) signed
     WHERE ($2::timestamptz IS NULL OR d.issued_at >= $2) AND ($3::timestamptz IS NULL OR d.issued_at < $3)
     GROUP BY i.currency ORDER BY i.currency`,
    [storedFilter(filter), from ?? null, to ?? null],
  );
}

/** Lists the tax rates of those documents, in basis points, highest first. */
export function listDocumentRates(tx: Tx, filter: Filter, { from, to }: Period): Promise<number[]> {
  return column<number>(
    tx,
    `SELECT DISTINCT (l ->> 'tax_rate_bps')::int AS rate
     FROM invoice_documents d
       JOIN filtered_invoices($1) i ON i.id = d.invoice_id, jsonb_array_elements(d.lines) l
     WHERE ($2::timestamptz IS NULL OR d.issued_at >= $2) AND ($3::timestamptz IS NULL OR d.issued_at < $3)
     ORDER BY rate DESC`,
    [storedFilter(filter), from ?? null, to ?? null],
  );
}
