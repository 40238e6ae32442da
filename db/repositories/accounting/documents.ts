import type { AccountingView, DocumentDue, KnownDocument, TaxPart } from '../../../domain/accounting.js';
import type { Tx } from '../../transaction.js';
import { findPayer, type Payer } from '../billing/payers.js';

/**
 * Writes down, in the transaction that changes an invoice, that the books have to hear of it; the caller holds its
 * lock. Nothing to do for a workspace without books, nor for an open invoice: the hourly job brings those. What is in
 * the books is kept right also where they are turned off: it waits until they are on again.
 */
export async function enqueueAccountingUpdate(tx: Tx, invoiceId: string): Promise<void> {
  await tx.query(
    `INSERT INTO accounting_due (invoice_id, workspace_id)
     SELECT i.id, i.workspace_id FROM invoices i
     JOIN accounting_connections c ON c.workspace_id = i.workspace_id
     WHERE i.id = $1 AND (c.enabled AND i.status IN ('paid', 'refunded')
       OR EXISTS (SELECT FROM accounting_documents d WHERE d.invoice_id = i.id))
     ON CONFLICT (invoice_id) DO UPDATE SET version = accounting_due.version + 1, notified_at = NULL`,
    [invoiceId],
  );
}

export interface DueInvoice {
  invoice_id: string;
  workspace_id: string;
  version: number;
}

/** Invoices whose run has not been told yet, of workspaces whose books can be reached. */
export function findInvoicesToNotify(tx: Tx): Promise<DueInvoice[]> {
  return tx.query(
    `SELECT d.invoice_id, d.workspace_id, d.version FROM accounting_due d
     JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
     WHERE d.notified_at IS NULL LIMIT 100`,
  );
}

/** Notes that an invoice's run has been told, unless there is something newer to tell. */
export async function markInvoiceNotified(tx: Tx, { invoice_id, version }: DueInvoice): Promise<void> {
  await tx.query(`UPDATE accounting_due SET notified_at = now() WHERE invoice_id = $1 AND version = $2`, [
    invoice_id,
    version,
  ]);
}

/** True while books that can be reached have not heard of an invoice's last change. */
export async function isAccountingUpdatePending(tx: Tx, invoiceId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `SELECT FROM accounting_due d
     JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
     WHERE d.invoice_id = $1`,
    [invoiceId],
  );
  return rows.length > 0;
}

/** The ledger and the books agree on an invoice, or nothing more can be done. The caller holds the invoice's lock. */
export async function completeAccountingUpdate(tx: Tx, invoiceId: string): Promise<void> {
  await tx.query(`DELETE FROM accounting_due WHERE invoice_id = $1`, [invoiceId]);
}

/** Shows an operator what keeps an invoice out of the books, or that nothing does (null). */
export async function setAccountingError(tx: Tx, invoiceId: string, message: string | null): Promise<void> {
  await tx.query(
    `UPDATE invoices SET accounting_error = $2 WHERE id = $1 AND accounting_error IS DISTINCT FROM $2`,
    [invoiceId, message],
  );
}

/** An invoice as the books have to see it. */
export type AccountingInvoice = AccountingView & { id: string; workspace_id: string; number: number };

/** What has to be in the books for an invoice, and what is known to be. Null where there is no such invoice. */
export async function findAccountingInvoice(tx: Tx, invoiceId: string): Promise<AccountingInvoice | null> {
  const [invoice] = await findAccountingInvoices(tx, [invoiceId]);
  return invoice ?? null;
}

/** The same of several invoices, in the order of their ids. */
export async function findAccountingInvoices(tx: Tx, invoiceIds: string[]): Promise<AccountingInvoice[]> {
  const invoices: Omit<AccountingInvoice, 'due' | 'known'>[] = await tx.query(
    `SELECT id, workspace_id, number, status, accounting_reference FROM invoices WHERE id = ANY ($1) ORDER BY id`,
    [invoiceIds],
  );
  const due: (DocumentDue & { invoice_id: string })[] = await tx.query(DUE, [invoiceIds]);
  const known: (KnownDocument & { invoice_id: string })[] = await tx.query(
    `SELECT invoice_id, source_id, kind, status, reference, total_minor, left_minor
     FROM accounting_documents WHERE invoice_id = ANY ($1)`,
    [invoiceIds],
  );
  const [dueOf, knownOf] = [byInvoice(due), byInvoice(known)];
  return invoices.map((invoice) => ({
    ...invoice,
    // What comes to nothing is in nobody's books.
    due: (dueOf.get(invoice.id) ?? []).filter(({ total_minor }) => total_minor > 0),
    known: knownOf.get(invoice.id) ?? [],
  }));
}

function byInvoice<Row extends { invoice_id: string }>(rows: Row[]): Map<string, Omit<Row, 'invoice_id'>[]> {
  const grouped = new Map<string, Omit<Row, 'invoice_id'>[]>();
  for (const { invoice_id, ...row } of rows)
    grouped.set(invoice_id, [...(grouped.get(invoice_id) ?? []), row]);
  return grouped;
}

/**
 * The documents of invoices: each one's own lines, each top-up's, the refunds that were made after it was paid (without
 * what had been paid over its total), and the credits. Refunds of a credit are not told twice; a credit of which a
 * refund has failed is none, and what did go back of it counts as a refund.
 */
const STANDS = `NOT EXISTS (SELECT FROM payments f WHERE f.adjustment_id = a.id AND f.status = 'failed')`;

const DUE = `WITH refunds AS (
    SELECT r.*, p.excess_minor AS excess,
           sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id) AS so_far
    FROM payments r JOIN payments p ON p.id = r.refund_of
    WHERE r.invoice_id = ANY ($1) AND r.kind = 'refund' AND r.status = 'succeeded'
  )
  SELECT invoice_id, source_id, kind, total_minor::bigint, settled FROM (
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
    WHERE r.created_at > i.paid_at AND NOT EXISTS (
      SELECT FROM adjustments a WHERE a.id = r.adjustment_id AND ${STANDS})
    UNION ALL
    SELECT a.invoice_id, a.id, 'credit_note', -a.total_minor, coalesce((
             SELECT bool_and(r.status = 'succeeded') FROM payments r WHERE r.adjustment_id = a.id), false),
           2, a.created_at
    FROM adjustments a WHERE a.invoice_id = ANY ($1) AND a.kind = 'credit' AND ${STANDS}
  ) documents ORDER BY part, at, source_id`;

/**
 * Puts a document's row there before it is asked for, and counts the tries. Returns the try's number; the first is 1.
 */
export async function beginDocument(
  tx: Tx,
  document: {
    source_id: string;
    workspace_id: string;
    invoice_id: string;
    kind: 'invoice' | 'credit_note';
    number: string;
  },
): Promise<number> {
  const [{ attempts }] = await tx.query(
    `INSERT INTO accounting_documents AS d (source_id, workspace_id, invoice_id, kind, number, attempts)
     VALUES ($1, $2, $3, $4, $5, 1)
     ON CONFLICT (source_id) DO UPDATE SET attempts = d.attempts + 1
     RETURNING attempts`,
    [document.source_id, document.workspace_id, document.invoice_id, document.kind, document.number],
  );
  return attempts;
}

export interface StoredDocument {
  source_id: string;
  workspace_id: string;
  invoice_id: string;
  kind: 'invoice' | 'credit_note';
  number: string;
  accounting_id: string | null;
  attempts: number;
}

/** A document by its source. */
export async function findDocument(tx: Tx, sourceId: string): Promise<StoredDocument | null> {
  const rows = await tx.query(`SELECT * FROM accounting_documents WHERE source_id = $1`, [sourceId]);
  return rows[0] ?? null;
}

/** The documents of invoices and of their top-ups, as far as the books are known to have them. */
export function findDocumentsOf(tx: Tx, invoiceIds: string[]): Promise<StoredDocument[]> {
  return tx.query(
    `SELECT * FROM accounting_documents
     WHERE invoice_id = ANY ($1) AND kind = 'invoice' AND accounting_id IS NOT NULL`,
    [invoiceIds],
  );
}

/** A page of the credit notes of invoices, as far as the books are known to have them. */
export function findCreditNotesOf(
  tx: Tx,
  invoiceIds: string[],
  after: string,
  limit: number,
): Promise<StoredDocument[]> {
  return tx.query(
    `SELECT * FROM accounting_documents
     WHERE invoice_id = ANY ($1) AND kind = 'credit_note' AND accounting_id IS NOT NULL AND source_id > $2
     ORDER BY source_id LIMIT $3`,
    [invoiceIds, after, limit],
  );
}

/** A page of a workspace's invoices in flight: those that the books know, and those that they don't. */
export async function listInFlight(
  tx: Tx,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ id: string; known: boolean }[]> {
  return tx.query(
    `SELECT i.id, d.accounting_id IS NOT NULL AS known
     FROM invoices i LEFT JOIN accounting_documents d ON d.source_id = i.id
     WHERE i.workspace_id = $1 AND i.status IN ('open', 'authorised') AND i.total_minor > 0 AND i.id > $2
     ORDER BY i.id LIMIT $3`,
    [workspaceId, after, limit],
  );
}

/** A page of the invoices that a workspace's books are known to have, terminal ones too. */
export async function listSyncedInvoices(
  tx: Tx,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows: { source_id: string }[] = await tx.query(
    `SELECT source_id FROM accounting_documents
     WHERE workspace_id = $1 AND kind = 'invoice' AND accounting_id IS NOT NULL
       AND status NOT IN ('voided', 'deleted') AND source_id > $2
     ORDER BY source_id LIMIT $3`,
    [workspaceId, after, limit],
  );
  return rows.map((row) => row.source_id);
}

/** A page of the invoices of which the books should have heard a while ago. */
export async function listOverdueUpdates(
  tx: Tx,
  workspaceId: string,
  seconds: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows: { invoice_id: string }[] = await tx.query(
    `SELECT invoice_id FROM accounting_due
     WHERE workspace_id = $1 AND notified_at < now() - make_interval(secs => $2) AND invoice_id > $3
     ORDER BY invoice_id LIMIT $4`,
    [workspaceId, seconds, after, limit],
  );
  return rows.map((row) => row.invoice_id);
}

/** What the books say of a document. */
export interface DocumentUpdate {
  accounting_id: string;
  status: Exclude<KnownDocument['status'], 'unknown'>;
  reference: string;
  total_minor: number;
  /** What is still to be paid, in or out. */
  left_minor: number;
}

/** Notes what the books say of a document; the invoice's own id there, and a credit's, are shown by the API. */
export async function recordDocument(tx: Tx, sourceId: string, news: DocumentUpdate): Promise<void> {
  await tx.query(
    `UPDATE accounting_documents
     SET accounting_id = $2, status = $3, reference = $4, total_minor = $5, left_minor = $6
     WHERE source_id = $1`,
    [sourceId, news.accounting_id, news.status, news.reference, news.total_minor, news.left_minor],
  );
  await tx.query(
    `UPDATE invoices SET accounting_id = $2 WHERE id = $1 AND accounting_id IS DISTINCT FROM $2`,
    [sourceId, news.accounting_id],
  );
  await tx.query(`UPDATE adjustments SET accounting_id = $2 WHERE id = $1`, [sourceId, news.accounting_id]);
}

/** The books have no such document after all. */
export async function deleteDocument(tx: Tx, sourceId: string): Promise<void> {
  await tx.query(`DELETE FROM accounting_documents WHERE source_id = $1`, [sourceId]);
}

/** A document's content: amounts in minor units, days in the workspace's zone. */
export interface DocumentContent {
  workspace_id: string;
  invoice_id: string;
  reference: string;
  currency: string;
  date: string;
  due_date: string;
  total_minor: number;
  lines: (TaxPart & { description: string; quantity: string; unit_amount_minor: number })[];
  tax_types: Record<string, string>;
  payer: Payer;
}

/** Everything that goes into a document of the books, but for a credit's lines (`findCredit`). */
export async function findDocumentContent(
  tx: Tx,
  invoiceId: string,
  sourceId: string,
): Promise<DocumentContent> {
  const [row] = await tx.query(
    `SELECT i.workspace_id, i.id AS invoice_id, i.accounting_reference AS reference, i.currency,
            to_char(coalesce(p.paid_at, i.created_at) AT TIME ZONE w.time_zone, 'YYYY-MM-DD') AS date,
            to_char(greatest(i.due_at, i.created_at) AT TIME ZONE w.time_zone, 'YYYY-MM-DD') AS due_date,
            w.tax_codes
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     LEFT JOIN payments p ON p.id = $2
     WHERE i.id = $1`,
    [invoiceId, sourceId],
  );
  const lines = await tx.query(
    `SELECT description, quantity::text, unit_amount_minor, tax_code, tax_rate_bps, net_minor, tax_minor
     FROM invoice_lines WHERE invoice_id = $1 AND payment_id IS NOT DISTINCT FROM nullif($2, $1) ORDER BY position`,
    [invoiceId, sourceId],
  );
  const { workspace_id, reference, currency, date, due_date } = row;
  return {
    workspace_id,
    invoice_id: invoiceId,
    reference,
    currency,
    date,
    due_date,
    total_minor: lines.reduce((sum: number, line: TaxPart) => sum + line.net_minor + line.tax_minor, 0),
    lines,
    tax_types: Object.fromEntries(
      row.tax_codes.map((code: { code: string; accounting_tax_type: string }) => [
        code.code,
        code.accounting_tax_type,
      ]),
    ),
    payer: await findPayer(tx, invoiceId),
  };
}

/** A credit: an adjustment's own lines, negated, or a refund of which the lines' shares have to be worked out. */
export async function findCredit(
  tx: Tx,
  sourceId: string,
): Promise<{ lines: DocumentContent['lines'] | null; date: string; reason: string }> {
  const [credit] = await tx.query(
    `SELECT a.lines, a.reason, to_char(a.created_at AT TIME ZONE w.time_zone, 'YYYY-MM-DD') AS date
     FROM adjustments a JOIN workspaces w ON w.id = a.workspace_id WHERE a.id = $1
     UNION ALL
     SELECT NULL, r.reason, to_char(r.settled_at AT TIME ZONE w.time_zone, 'YYYY-MM-DD')
     FROM payments r JOIN workspaces w ON w.id = r.workspace_id WHERE r.id = $1`,
    [sourceId],
  );
  const lines = credit.lines as DocumentContent['lines'] | null;
  return {
    date: credit.date,
    reason: credit.reason,
    lines:
      lines &&
      lines.map((line) => ({
        ...line,
        quantity: String(line.quantity),
        unit_amount_minor: -line.unit_amount_minor,
        net_minor: -line.net_minor,
        tax_minor: -line.tax_minor,
      })),
  };
}

/** All lines of an invoice, as shares of its tax codes. */
export function findTaxParts(tx: Tx, invoiceId: string): Promise<TaxPart[]> {
  return tx.query(
    `SELECT tax_code, tax_rate_bps, net_minor, tax_minor FROM invoice_lines WHERE invoice_id = $1 ORDER BY position`,
    [invoiceId],
  );
}

/** The day in the workspace's zone on which a document was paid: an invoice, or a top-up. */
export async function findPaidDay(tx: Tx, invoiceId: string, sourceId: string): Promise<string> {
  const [{ day }] = await tx.query(
    `SELECT to_char(coalesce(p.paid_at, i.paid_at) AT TIME ZONE w.time_zone, 'YYYY-MM-DD') AS day
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id LEFT JOIN payments p ON p.id = $2
     WHERE i.id = $1`,
    [invoiceId, sourceId],
  );
  return day;
}

/** The books' contact of a payer, if name and address there are those of now. */
export async function findContact(tx: Tx, workspaceId: string, payer: Payer): Promise<string | null> {
  const rows = await tx.query(
    `SELECT contact_id FROM accounting_contacts
     WHERE workspace_id = $1 AND payer = $2 AND digest = sha256(convert_to($3, 'UTF8'))`,
    [workspaceId, payer.number, contactFacts(payer)],
  );
  return rows[0]?.contact_id ?? null;
}

/** Keeps the books' contact of a payer. */
export async function saveContact(
  tx: Tx,
  workspaceId: string,
  payer: Payer,
  contactId: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO accounting_contacts (workspace_id, payer, contact_id, digest)
     VALUES ($1, $2, $3, sha256(convert_to($4, 'UTF8')))
     ON CONFLICT (workspace_id, payer) DO UPDATE SET contact_id = excluded.contact_id, digest = excluded.digest`,
    [workspaceId, payer.number, contactId, contactFacts(payer)],
  );
}

const contactFacts = ({ name, email }: Payer): string => JSON.stringify([name, email]);
