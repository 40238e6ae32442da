import { column, many } from '../../query.js';
import type { InvoiceDocument } from '../../entities/invoices.js';
import type { Totals } from '../../../domain/invoice.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { conditionsOf, type InvoiceFilter } from './invoice.js';
import { LACKS_DOCUMENT } from './invoice-document.js';

type Filter = Omit<InvoiceFilter, 'after' | 'limit'>;

/** The times `[from, to)` between which documents were issued. */
interface Period {
  from?: Date;
  to?: Date;
}

/** A document as it was issued. */
export type IssuedDocument = InvoiceDocument;

/** The SQL of the conditions of documents `d` that were issued in a period for the invoices `i` of a filter. */
function documentConditions(filter: Filter, { from, to }: Period, bind: Bind): string {
  const conditions = conditionsOf(filter, bind);
  if (from) conditions.push(`d.issued_at >= ${bind(from)}`);
  if (to) conditions.push(`d.issued_at < ${bind(to)}`);
  return conditions.join(' AND ');
}

/** What was issued in a period for the invoices of a filter, newest first. */
export function listIssuedDocuments(
  tx: Tx,
  filter: Filter,
  period: Period,
  { after, limit }: { after: IssuedDocument | undefined; limit: number },
): Promise<IssuedDocument[]> {
  const params: unknown[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = documentConditions(filter, period, bind);
  const rest = after
    ? `AND (d.issued_at, d.source_id) < (${bind(after.issued_at)}::timestamptz, ${bind(after.source_id)})`
    : '';
  return many<IssuedDocument>(
    tx,
    `SELECT d.* FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id WHERE ${conditions} ${rest}
     ORDER BY d.issued_at DESC, d.source_id DESC LIMIT ${bind(limit)}`,
    params,
  );
}

/** What documents charge together in a currency. Minor units. */
export interface IssuedTotals extends Totals {
  currency: string;
}

const sum = (column: string): string =>
  `sum(CASE WHEN d.voided_at IS NOT NULL THEN 0 WHEN d.kind = 'credit_note' THEN -d.${column} ELSE d.${column} END)::bigint AS ${column}`;

/** What those documents charge together, by currency: a credit note less than nothing, a void one nothing. */
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

/** Those of the invoices of a filter whose own document has to be issued: they are from before documents were stored. */
export function listUndocumented(tx: Tx, filter: Filter): Promise<string[]> {
  const params: unknown[] = [];
  const conditions = conditionsOf(filter, (value) => `$${params.push(value)}`);
  return column<string>(
    tx,
    `SELECT i.id FROM invoices i WHERE ${conditions.join(' AND ')} AND ${LACKS_DOCUMENT}`,
    params,
  );
}
