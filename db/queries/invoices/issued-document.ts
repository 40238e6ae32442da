import { column, many } from '../../query.js';
import type { InvoiceDocument } from '../../entities/invoices.js';
import { whyNoDocument, type NoDocumentReason } from '../../../domain/invoices/document-number.js';
import type { DocumentTerms } from '../../../domain/invoices/document.js';
import type { Totals } from '../../../domain/invoices/invoice.js';
import type { BookingStatus, InvoiceStatus } from '../../../domain/states.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { conditionsOf, type InvoiceFilter } from './invoice.js';

type Filter = Omit<InvoiceFilter, 'after' | 'limit'>;

/** The times `[from, to)` between which documents were issued. */
interface Period {
  from?: Date;
  to?: Date;
}

/** A document as it was issued, or a number that is void without one. */
export type IssuedDocument = Pick<
  InvoiceDocument,
  'source_id' | 'invoice_id' | 'kind' | 'number' | 'payment_id' | 'lines' | 'cancels' | 'payer' | keyof Totals
> & {
  /** When it was issued, or became void without that. */
  at: Date;
  /** When its number became void without a document; null for what was issued. */
  voided_at: Date | null;
  terms: Pick<DocumentTerms, 'currency' | 'reference' | 'booking' | 'due_at' | 'reason' | 'parties'>;
  /** Why its number is void without a document; null for what was issued. */
  unissued: NoDocumentReason | null;
};

/**
 * The SQL of the conditions of documents that were issued, or became void, at a time in a period for the
 * invoices `i` of a filter.
 */
function documentConditions(
  filter: Filter,
  { from, to }: Period,
  bind: Bind,
  at: string = 'd.issued_at',
): string {
  const conditions = conditionsOf(filter, bind);
  if (from) conditions.push(`${at} >= ${bind(from)}`);
  if (to) conditions.push(`${at} < ${bind(to)}`);
  return conditions.join(' AND ');
}

/** SQL for when an invoice `i` has ended without a document; null for one that has documents, or goes on. */
const VOID_AT = `CASE WHEN NOT EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)
  THEN coalesce(i.voided_at, i.cancelled_at, i.paid_at) END`;

/**
 * What was issued in a period for the invoices of a filter, and the numbers that became void without
 * a document, newest first.
 */
export async function listIssuedDocuments(
  tx: Tx,
  filter: Filter,
  period: Period,
  { after, limit }: { after: IssuedDocument | undefined; limit: number },
): Promise<IssuedDocument[]> {
  const params: unknown[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const issued = documentConditions(filter, period, bind);
  const ended = documentConditions(filter, period, bind, VOID_AT);
  const rest = after
    ? `WHERE (at, source_id) < (${bind(after.at)}::timestamptz, ${bind(after.source_id)})`
    : '';
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
       FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id WHERE ${issued}
       UNION ALL
       SELECT i.id, i.id, 'invoice', i.document_number, ${VOID_AT}, 0, 0, 0, NULL, '[]', jsonb_build_object(
                'currency', i.currency, 'reference', i.accounting_reference, 'booking', b.reference,
                'due_at', i.due_at,
                'reason', NULL, 'parties', coalesce(i.parties, '{}')),
              ${VOID_AT}, NULL, person_paying(i.id),
              json_build_object('status', i.status, 'booking', b.status)
       FROM invoices i LEFT JOIN bookings b ON b.id = i.booking_id
       WHERE i.document_number IS NOT NULL AND (i.status IN ('void', 'cancelled') OR i.total_minor = 0)
         AND ${VOID_AT} IS NOT NULL AND ${ended}
     ) listed ${rest} ORDER BY at DESC, source_id DESC LIMIT ${bind(limit)}`,
    params,
  );
  return listed.map(({ ended, ...document }) => ({
    ...document,
    unissued:
      ended && whyNoDocument({ status: ended.status, total_minor: document.total_minor }, ended.booking),
  }));
}

/** What documents charge together in a currency. Minor units. */
export interface IssuedTotals extends Totals {
  currency: string;
}

const sum = (column: string): string =>
  `sum(CASE WHEN d.kind = 'credit_note' THEN -d.${column} ELSE d.${column} END)::bigint AS ${column}`;

/** What those documents charge together, by currency: a credit note less than nothing. */
export function sumIssuedDocuments(tx: Tx, filter: Filter, period: Period): Promise<IssuedTotals[]> {
  const params: unknown[] = [];
  const conditions = documentConditions(filter, period, (value) => `$${params.push(value)}`);
  return many<IssuedTotals>(
    tx,
    `SELECT i.currency, ${['net_minor', 'tax_minor', 'total_minor'].map(sum).join(', ')}
     FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id
     WHERE ${conditions} GROUP BY i.currency ORDER BY i.currency`,
    params,
  );
}

/** The tax rates of those documents, in basis points, highest first. */
export function listDocumentRates(tx: Tx, filter: Filter, period: Period): Promise<number[]> {
  const params: unknown[] = [];
  const conditions = documentConditions(filter, period, (value) => `$${params.push(value)}`);
  return column<number>(
    tx,
    `SELECT DISTINCT (l ->> 'tax_rate_bps')::int AS rate
     FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id, jsonb_array_elements(d.lines) l
     WHERE ${conditions} ORDER BY rate DESC`,
    params,
  );
}
