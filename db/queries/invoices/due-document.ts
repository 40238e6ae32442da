import {
  ADDED,
  type DocumentKind,
  type DocumentTerms,
  type LostDocument,
} from '../../../domain/invoices/document.js';
import type { TaxPart } from '../../../domain/invoices/credited-tax.js';
import type { InvoiceLine } from '../../../domain/invoices/invoice.js';
import { byIds, manyByIds } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { IS_ISSUED } from './document.js';
import { movedAt } from '../payments/money-time.js';

/** What the source of a document has in addition that is issued again after it was cancelled. */
const AGAIN = '-again';

/** A document that an invoice has, or must have by its ledger. Amounts in minor units. */
export interface DueDocument {
  source_id: string;
  invoice_id: string;
  /** Null for one that was issued and is no longer due. */
  kind: DocumentKind | null;
  /** What a refund's or a dispute's document credits or returns, without what was paid in excess. */
  amount_minor: number;
  /** The payment of which that is. */
  of_payment: string | null;
  /** The refund or the payment itself. */
  payment_id: string | null;
  /** When it is issued (docs/rules/billing.md#dates-of-money). */
  at: Date;
  /** The lines of an invoice, a supplement or an adjustment; null for a share of the invoice's. */
  lines: InvoiceLine[] | null;
  /** What a refund takes off; null for a share of the invoice's. */
  credit: TaxPart[] | null;
  is_dispute: boolean;
  reason: string | null;
  /** If it was issued and not cancelled: its number and total. */
  number: string | null;
  issued_minor: number | null;
  /** Another document has cancelled it. */
  is_cancelled: boolean;
  /** If it was not issued, or is to be cancelled: what that needs. */
  basis: DocumentBasis | null;
}

/** SQL that is true for a credit adjustment `a` without failed refunds. */
const IS_VALID_CREDIT = `NOT EXISTS (SELECT FROM payments f
  WHERE f.adjustment_id = a.id AND f.status = 'failed')`;

const linesOf = (invoiceId: string, condition: string): string =>
  `(SELECT json_agg(to_jsonb(l) - 'invoice_id' - 'position' - 'payment_id' - 'change_id' ORDER BY l.position)
    FROM invoice_lines l WHERE l.invoice_id = ${invoiceId} AND ${condition})`;

/** SQL that is true for a line `l` that a change has added, and not taken off. */
const IS_ADDED = '(l.net_minor + l.tax_minor > 0)';

/**
 * SQL for when what an invoice `i` needs a document for was recorded: it was opened, or paid at
 * its checkout or the desk.
 */
const RECORDED_AT = `coalesce((SELECT c.started_at FROM collections c WHERE c.invoice_id = i.id), (
    SELECT min(p.created_at) FROM payments p
    WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'
      AND p.amount_minor > p.excess_minor), i.paid_at)`;

const mainOf = (
  invoices: string,
): string => `SELECT i.id AS source_id, i.id AS invoice_id, 'invoice' AS kind, 0::bigint AS amount_minor,
  NULL AS of_payment,
      NULL AS payment_id, ${RECORDED_AT} AS at,
      ${linesOf('i.id', 'l.payment_id IS NULL AND l.change_id IS NULL')} AS lines,
      NULL::jsonb AS credit, false AS is_dispute, (SELECT a.reason FROM adjustments a
        WHERE a.debit_invoice_id = i.id) AS reason, 0 AS part
    FROM invoices i WHERE i.id ${invoices} AND ${IS_ISSUED}`;

const topUpsOf = (
  invoices: string,
): string => `SELECT p.id, p.invoice_id, 'supplement', 0, NULL, p.id, p.created_at,
      ${linesOf('p.invoice_id', `l.payment_id = p.id AND (l.change_id IS NULL OR ${IS_ADDED})`)}, NULL,
      false, NULL, 1
    FROM payments p WHERE p.invoice_id ${invoices} AND p.kind = 'top_up'
      AND EXISTS (SELECT FROM invoice_lines l WHERE l.invoice_id = p.invoice_id AND l.payment_id = p.id)`;

/**
 * The refunds of a paid invoice, which include what was refunded before it was paid, beyond
 * what was paid in excess.
 */
const refundsOf = (invoices: string): string => `SELECT r.id, r.invoice_id, 'credit_note',
      greatest(0, r.so_far - r.excess) - greatest(0, r.so_far - r.amount_minor - r.excess), r.refund_of, r.id,
      r.settled_at, NULL, r.credit, false, NULL, 2
    FROM (
      SELECT r.*, p.excess_minor AS excess,
             sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id) AS so_far
      FROM payments r JOIN payments p ON p.id = r.refund_of
      WHERE r.invoice_id ${invoices} AND r.kind = 'refund' AND r.status = 'succeeded'
    ) r JOIN invoices i ON i.id = r.invoice_id
    WHERE i.status IN ('paid', 'refunded') AND NOT EXISTS (
      SELECT FROM adjustments a WHERE a.id = r.adjustment_id AND ${IS_VALID_CREDIT})`;

/** What a bank took for a dispute is credited, what it returned is charged again. */
const disputesOf = (
  invoices: string,
): string => `SELECT id, invoice_id, CASE WHEN taken > 0 THEN 'credit_note' ELSE 'supplement' END,
  abs(taken), NULL,
      payment_id, created_at, NULL, NULL, true, NULL, 2
    FROM (
      SELECT m.id, m.invoice_id, m.payment_id, m.created_at,
             least(kept, greatest(0, gone)) - least(kept, greatest(0, gone + m.amount_minor)) AS taken
      FROM (
        SELECT m.*, p.invoice_id, p.amount_minor - p.excess_minor AS kept,
               -sum(m.amount_minor) OVER (PARTITION BY m.payment_id ORDER BY m.created_at, m.id) AS gone
        FROM dispute_movements m JOIN payments p ON p.id = m.payment_id WHERE p.invoice_id ${invoices}
      ) m
    ) m WHERE taken <> 0`;

/** A credit includes its refunds. If one of them has failed, the others count as refunds. */
const creditsOf = (
  invoices: string,
): string => `SELECT a.id, a.invoice_id, 'credit_note', 0, NULL, NULL, a.created_at, a.lines::json, NULL,
  false, a.reason, 2
    FROM adjustments a WHERE a.invoice_id ${invoices} AND a.kind = 'credit' AND ${IS_VALID_CREDIT}`;

/**
 * What changes have taken off without a refund is credited; what they have added
 * without a payment is charged.
 */
const changesOf = (
  invoices: string,
): string => `SELECT change.id || CASE WHEN added THEN '${ADDED}' ELSE '' END, invoice_id,
      CASE WHEN added THEN 'supplement' ELSE 'credit_note' END, 0, NULL, NULL, now(),
      ${linesOf('change.invoice_id', `l.change_id = change.id AND ${IS_ADDED} = added`)}, NULL, false, NULL, 1
    FROM (SELECT DISTINCT l.invoice_id, l.change_id AS id, ${IS_ADDED} AS added FROM invoice_lines l
          WHERE l.invoice_id ${invoices} AND l.change_id IS NOT NULL
            AND (l.payment_id IS NULL OR NOT ${IS_ADDED})) change`;

const PARTS = [mainOf, topUpsOf, changesOf, refundsOf, disputesOf, creditsOf];

/** What documents of an invoice need to be issued. */
export interface DocumentBasis {
  invoice_id: string;
  workspace_id: string;
  document_number: string | null;
  terms: Omit<DocumentTerms, 'reason'>;
  /** The lines of the invoice and its supplements. */
  lines: InvoiceLine[];
  /** Its documents. */
  issued: { source_id: string; kind: DocumentKind; number: string; lines: InvoiceLine[] }[];
  /** What its pending refunds are going to credit. */
  reserved: TaxPart[];
  /** The numbers of its documents so far, here and in the books. */
  taken: string[];
  /** Those that the books have, and that are lost here, in the order of their numbers. */
  lost: LostDocument[];
}

/**
 * SQL for the basis of documents of an invoice. Raises an exception where `counted`, SQL, is true
 * and documents that are not known here may have numbers: in this statement, so that what is lost
 * is in the same snapshot.
 */
const basisOf = (
  invoice: string,
  counted: string,
): string => `SELECT i.id AS invoice_id, i.workspace_id, i.document_number,
  ${linesOf('i.id', 'true')} AS lines,
    (SELECT coalesce(json_agg(json_build_object(
              'source_id', d.source_id, 'kind', d.kind, 'number', d.number, 'lines', d.lines)), '[]')
     FROM invoice_documents d WHERE d.invoice_id = i.id) AS issued,
    (SELECT coalesce(json_agg(line.value), '[]')
      FROM payments r, jsonb_array_elements(r.credit) AS line (value)
     WHERE r.invoice_id = i.id AND r.status = 'pending') AS reserved,
    ARRAY(SELECT d.number FROM invoice_documents d WHERE d.invoice_id = i.id
          UNION SELECT d.number FROM accounting_documents d WHERE d.invoice_id = i.id) AS taken,
    (SELECT coalesce(json_agg(json_build_object('suffix', l.suffix, 'total_minor', l.total_minor)
              ORDER BY length(l.suffix), l.suffix), '[]') FROM lost_documents l
              WHERE l.invoice_id = i.id) AS lost,
    CASE WHEN ${counted} THEN numbers_known(i.workspace_id) END AS numbers_known,
    json_build_object(
      'currency', i.currency, 'time_zone', coalesce(r.time_zone, w.time_zone), 'reference',
      i.accounting_reference,
      'booking', b.reference,
      'locale', coalesce(CASE WHEN i.company_id IS NULL THEN coalesce(m.locale, b.locale) END, w.locale),
      'parties', i.parties, 'due_at', i.due_at,
      'supplied', CASE
        WHEN b.id IS NOT NULL THEN json_build_object('from', b.start_at, 'to', b.end_at)
        WHEN i.period_start IS NOT NULL THEN json_build_object('from', i.period_start, 'to',
          i.period_end - 1) END,
      'paid', CASE WHEN i.status IN ('paid', 'refunded') THEN (
        SELECT coalesce(json_agg(json_build_object('method', p.method, 'amount_minor', p.amount_minor,
                 'at', ${movedAt('p')}) ORDER BY ${movedAt('p')}, p.id), '[]')
        FROM payments p WHERE p.invoice_id = i.id AND p.kind IN ('charge', 'manual') AND p.status <> 'failed')
        ELSE '[]' END,
      'payment_instructions', CASE WHEN i.status IN ('open', 'authorised') THEN w.payment_instructions END
    ) AS terms
  FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
  LEFT JOIN bookings b ON b.id = i.booking_id LEFT JOIN rooms r ON r.id = b.room_id
  LEFT JOIN members m ON m.id = i.member_id
  WHERE i.id = ${invoice}`;

/**
 * SQL for when a document is issued: now, and not before the first one of its invoice. Those that are issued
 * with the first one have the times of what they are about.
 */
const ISSUED_AT = `greatest(CASE WHEN min(d.issued_at) OVER own IS NULL THEN due.at ELSE now() END,
  min(d.issued_at) OVER own,
    first_value(due.at) OVER (own ORDER BY due.part, due.at))`;

const DUE_DOCUMENTS = byIds(
  'due_documents',
  (invoices) => `WITH due AS (${PARTS.map((part) => part(invoices)).join(' UNION ALL ')})
  SELECT CASE WHEN d.is_cancelled AND due.kind IS NOT NULL THEN d.source_id || '${AGAIN}'
           ELSE coalesce(d.source_id, due.source_id) END AS source_id,
           coalesce(due.invoice_id, d.invoice_id) AS invoice_id, due.kind,
           due.amount_minor::bigint AS amount_minor,
         due.of_payment, due.payment_id, ${ISSUED_AT} AS at, due.lines, due.credit,
         due.is_dispute, due.reason,
         CASE WHEN NOT d.is_cancelled THEN d.number END AS number,
         CASE WHEN NOT d.is_cancelled THEN d.total_minor END AS issued_minor,
         coalesce(d.is_cancelled, false) AS is_cancelled,
         CASE WHEN d.number IS NULL OR (due.kind IS NULL) <> d.is_cancelled THEN (
           SELECT row_to_json(basis)
           FROM (${basisOf('coalesce(due.invoice_id, d.invoice_id)', `due.kind IS DISTINCT FROM 'invoice'`)})
             basis) END AS basis
  FROM due FULL JOIN (
    SELECT DISTINCT ON (due_source) d.* FROM (
      SELECT d.*, regexp_replace(d.source_id, '(${AGAIN})+$', '') AS due_source,
        EXISTS (
          SELECT FROM invoice_documents c WHERE c.invoice_id = d.invoice_id AND c.cancels = d.source_id)
            AS is_cancelled
      FROM invoice_documents d WHERE d.invoice_id ${invoices} AND d.cancels IS NULL
    ) d ORDER BY due_source, is_cancelled, d.source_id DESC
  ) d ON d.due_source = due.source_id
  WINDOW own AS (PARTITION BY coalesce(due.invoice_id, d.invoice_id))
  ORDER BY due.part, due.at, due.source_id`,
);

/**
 * The documents that invoices must have by their ledger, those of each in the order of their numbers, and
 * those that they have (docs/rules/billing.md#documents). Errors: as `numbers_known`, for supplements and
 * credit notes that must be issued.
 */
export function listDueDocuments(tx: Tx, invoiceIds: string[]): Promise<DueDocument[]> {
  return manyByIds<DueDocument>(tx, DUE_DOCUMENTS, invoiceIds);
}
