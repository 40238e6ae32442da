import type { InvoiceParties } from '../../../domain/invoice-parties.js';
import type { InvoiceKind, LiveBooking } from '../../../domain/invoice.js';
import type { InvoiceFacts } from '../../../domain/presenters/invoice.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { exists, many, maybeOne } from '../../query.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { invoiceMatches } from './search.js';

/** An invoice's row with its lines and the amount paid towards it. */
export type InvoiceRow = InvoiceFacts & {
  workspace_id: string;
  updated_at: Date;
  /** Null for a draft. */
  parties: InvoiceParties | null;
};

/**
 * SQL for the amount paid towards an invoice `i`. While it is open, a refunded amount must be paid again; once it is
 * paid, refunds do not change the amount. What was refunded because it exceeded the total never counts.
 */
export const PAID = `(SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
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

/** The booking of an invoice while it holds its slot, or null. */
export async function findLiveBooking(
  tx: Tx,
  { booking_id }: Pick<InvoiceFacts, 'booking_id'>,
): Promise<LiveBooking | null> {
  if (!booking_id) return null;
  return maybeOne<LiveBooking>(
    tx,
    `SELECT id, status FROM bookings WHERE id = $1 AND live_room_id IS NOT NULL`,
    [booking_id],
  );
}

/** Whether an invoice has payments, also refunded ones; refused charges do not count. */
export const hasPayments = (tx: Tx, invoiceId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM payments WHERE invoice_id = $1 AND status <> 'failed' LIMIT 1`, [invoiceId]);

/** A workspace's invoices whose collection is doing more than to wait for the due date; by the time of the next step. */
export function listCollected(tx: Tx, workspaceId: string, limit: number): Promise<InvoiceRow[]> {
  return many<InvoiceRow>(
    tx,
    `${WITH_LINES} JOIN collections c ON c.invoice_id = i.id
     WHERE c.workspace_id = $1 AND c.status NOT IN ('scheduled', 'ended')
     ORDER BY c.next_at, i.id LIMIT $2`,
    [workspaceId, limit],
  );
}

export interface InvoiceFilter {
  workspace_id: string;
  status?: InvoiceStatus;
  company_id?: string;
  member_id?: string;
  booking_id?: string;
  /** A member: invoices that they pay themselves, without drafts. */
  paid_by?: string;
  kind?: InvoiceKind;
  /** The invoice that they adjust. */
  adjusts?: string;
  /** Words of the payer's name or address, a number or an id. */
  q?: string;
  from?: Date;
  to?: Date;
  /** The last row of the previous page. */
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's invoices, newest first; `from` and `to` are `[from, to)` on `created_at`. */
export function listInvoices(tx: Tx, filter: InvoiceFilter): Promise<InvoiceRow[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = ['i.workspace_id = $1'];
  for (const column of ['status', 'company_id', 'member_id', 'booking_id', 'kind', 'adjusts'] as const) {
    if (filter[column] !== undefined) conditions.push(`i.${column} = ${bind(filter[column])}`);
  }
  if (filter.paid_by !== undefined)
    conditions.push(`i.member_id = ${bind(filter.paid_by)} AND i.company_id IS NULL AND i.status <> 'draft'`);
  if (filter.q !== undefined) conditions.push(invoiceMatches(filter.q, bind));
  if (filter.from) conditions.push(`i.created_at >= ${bind(filter.from)}`);
  if (filter.to) conditions.push(`i.created_at < ${bind(filter.to)}`);
  if (filter.after) {
    const { created_at, id } = filter.after;
    conditions.push(`(i.created_at, i.id) < (${bind(created_at)}::timestamptz, ${bind(id)})`);
  }
  return many<InvoiceRow>(
    tx,
    `${WITH_LINES} WHERE ${conditions.join(' AND ')}
     ORDER BY i.created_at DESC, i.id DESC LIMIT ${bind(filter.limit)}`,
    params,
  );
}
