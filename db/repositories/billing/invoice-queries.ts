import type { InvoiceFacts } from '../../../domain/presenters/invoice.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** An invoice's row with its lines and the amount paid towards it. */
export type InvoiceRow = InvoiceFacts & { workspace_id: string; updated_at: Date };

/**
 * SQL for the amount paid towards an invoice `i`. While it is open, a refunded amount must be paid again; once it is
 * paid, refunds do not change the amount. What was refunded because it exceeded the total never counts.
 */
const PAID = `(SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
    CASE WHEN i.status IN ('open', 'authorised') THEN p.refunded_minor ELSE 0 END)), 0)::bigint
  FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`;

const WITH_LINES = `SELECT i.*, ${PAID} AS paid_minor,
    (SELECT json_build_object('status', col.status, 'next_at', col.next_at, 'attempts', col.attempts)
      FROM collections col WHERE col.invoice_id = i.id) AS collection,
    (SELECT json_agg(l ORDER BY l.position) FROM invoice_lines l WHERE l.invoice_id = i.id) AS lines
  FROM invoices i`;

/** An invoice of a workspace, or null. */
export function findInvoice(tx: Tx, workspaceId: string, id: string): Promise<InvoiceRow | null> {
  const condition = 'i.id = $1 AND i.workspace_id = $2';
  return maybeOne<InvoiceRow>(tx, `${WITH_LINES} WHERE ${condition}`, [id, workspaceId]);
}

/** An invoice by id alone, for the workflow or transaction that owns it. */
export function findInvoiceById(tx: Tx, id: string): Promise<InvoiceRow | null> {
  return maybeOne<InvoiceRow>(tx, `${WITH_LINES} WHERE i.id = $1`, [id]);
}

export interface InvoiceFilter {
  workspace_id: string;
  status?: InvoiceStatus;
  company_id?: string;
  member_id?: string;
  booking_id?: string;
  /** A member: invoices that they pay themselves, without drafts. */
  paid_by?: string;
  from?: Date;
  to?: Date;
  /** The last row of the previous page. */
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's invoices, newest first; `from` and `to` are `[from, to)` on `created_at`. */
export function listInvoices(tx: Tx, filter: InvoiceFilter): Promise<InvoiceRow[]> {
  return many<InvoiceRow>(
    tx,
    `${WITH_LINES}
     WHERE i.workspace_id = $1 AND ($2::text IS NULL OR i.status = $2) AND ($3::uuid IS NULL OR i.company_id = $3)
       AND ($4::text IS NULL OR i.member_id = $4) AND ($5::text IS NULL OR i.booking_id = $5)
       AND ($6::timestamptz IS NULL OR i.created_at >= $6) AND ($7::timestamptz IS NULL OR i.created_at < $7)
       AND ($8::timestamptz IS NULL OR (i.created_at, i.id) < ($8, $9))
       AND ($10::text IS NULL OR (i.member_id = $10 AND i.company_id IS NULL AND i.status <> 'draft'))
     ORDER BY i.created_at DESC, i.id DESC LIMIT $11`,
    [
      filter.workspace_id,
      filter.status ?? null,
      filter.company_id ?? null,
      filter.member_id ?? null,
      filter.booking_id ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.paid_by ?? null,
      filter.limit,
    ],
  );
}
