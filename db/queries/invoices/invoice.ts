import type { InvoiceParties } from '../../../domain/invoices/parties.js';
import type { InvoiceKind, LiveBooking } from '../../../domain/invoices/invoice.js';
import type { InvoiceFacts } from '../../../domain/invoices/invoice-presenter.js';
import type { ListedDocument } from '../../../domain/invoices/document.js';
import type { ListedStatement } from '../../../domain/invoices/statement.js';
import type { BookingStatus, InvoiceStatus } from '../../../domain/states.js';
import { selectAll } from '../../entities.js';
import { Invoice } from '../../entities/invoices.js';
import { byIds, column, exists, many, manyByIds, maybeOne } from '../../query.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { DOCUMENTS_OF_INVOICE } from './document.js';
import { STATEMENTS_OF_INVOICE } from './issued-statement.js';
import { invoiceMatches, numberMatches, referenceMatches } from './search.js';

/** An invoice's row with its lines and the amount paid towards it. */
export type InvoiceRow = InvoiceFacts & {
  workspace_id: string;
  updated_at: Date;
  /** Null for a draft. */
  parties: InvoiceParties | null;
  pay_link_version: number;
  /** Whether its payer has a card on file. */
  has_card: boolean;
  /** In the order in which they were issued. */
  documents: ListedDocument[];
  /** Those that list it. */
  statements: ListedStatement[];
};

/**
 * SQL for the amount paid towards an invoice `i`. While it is open, a refunded amount must be
 * paid again; once it is paid, refunds do not change the amount. What was refunded because it
 * exceeded the total never counts.
 */
export const PAID = `(SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
    CASE WHEN i.status IN ('open', 'authorised') THEN p.refunded_minor ELSE 0 END)), 0)::bigint
  FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`;

const WITH_LINES = `SELECT ${selectAll(Invoice, 'i')}, ${PAID} AS paid_minor,
    (SELECT json_build_object('status', col.status, 'next_at', col.next_at, 'attempts', col.attempts)
      FROM collections col WHERE col.invoice_id = i.id) AS collection,
    EXISTS (SELECT FROM cards k
      JOIN workspaces kw ON kw.id = k.workspace_id AND kw.processor_account_id = k.account_id
      WHERE k.workspace_id = i.workspace_id
        AND (k.company_id = i.company_id OR (i.company_id IS NULL AND k.member_id = i.member_id)))
          AS has_card,
    (SELECT json_agg(l ORDER BY l.position) FROM invoice_lines l WHERE l.invoice_id = i.id) AS lines,
    ${DOCUMENTS_OF_INVOICE} AS documents, ${STATEMENTS_OF_INVOICE} AS statements
  FROM invoices i`;

const INVOICES_BY_ID = byIds(
  'invoice_by_id',
  (matches) => `${WITH_LINES} WHERE i.id ${matches} ORDER BY i.id`,
);

/** An invoice of a workspace, or null: also if it is not one that is visible. */
export function findInvoice(
  tx: Tx,
  workspaceId: string,
  id: string,
  visible_to?: InvoiceFilter['visible_to'],
): Promise<InvoiceRow | null> {
  const params: unknown[] = [id, workspaceId];
  const conditions = ['i.id = $1 AND i.workspace_id = $2'];
  if (visible_to) conditions.push(visibleTo(visible_to, (value) => `$${params.push(value)}`));
  return maybeOne<InvoiceRow>(tx, `${WITH_LINES} WHERE ${conditions.join(' AND ')}`, params);
}

/** An invoice by id alone, for the workflow or transaction that owns it. */
export async function findInvoiceById(tx: Tx, id: string): Promise<InvoiceRow | null> {
  const [invoice] = await listInvoicesById(tx, [id]);
  return invoice ?? null;
}

/** Invoices by their ids, in the order of these. */
export function listInvoicesById(tx: Tx, ids: string[]): Promise<InvoiceRow[]> {
  return manyByIds<InvoiceRow>(tx, INVOICES_BY_ID, ids);
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

/**
 * A workspace's unpaid invoices whose collection is doing more than to wait for the due date; by
 * the time of the next step.
 */
export function listCollected(tx: Tx, workspaceId: string, limit: number): Promise<InvoiceRow[]> {
  return many<InvoiceRow>(
    tx,
    `${WITH_LINES} JOIN collections c ON c.invoice_id = i.id
     WHERE c.workspace_id = $1 AND c.status NOT IN ('scheduled', 'ended')
       AND i.status IN ('open', 'authorised')
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
  /**
   * Invoices that a member pays themselves, without drafts; with `bookings` also those of
   * bookings and what adjusts them.
   */
  visible_to?: { member_id: string; bookings: boolean };
  kind?: InvoiceKind;
  /** The invoice that they adjust. */
  adjusts?: string;
  /** Words of the payer's name or address or of a reference, a number or an id. */
  q?: string;
  /** The number of an invoice or of one of its documents, as somebody typed it. */
  number?: string;
  /** Words of its reference or of that of one of its payments. */
  reference?: string;
  from?: Date;
  to?: Date;
  /** Only unpaid ones that were due before this time; those of unpaid holds are not due. */
  due_before?: Date;
  /** Only what a payer owes, owed or was given: no drafts, unpaid or expired holds, or totals of zero. */
  issued_only?: boolean;
  /** By the day on which they are due, the oldest first; otherwise the newest first. */
  oldest_due_first?: boolean;
  /** The last row of the previous page. */
  after?: { id: string } & ({ created_at: string } | { due_at: string });
  limit: number;
}

const ofBooking = (...statuses: BookingStatus[]): string =>
  `EXISTS (SELECT FROM bookings b WHERE b.id = i.booking_id
     AND b.status IN (${statuses.map((status) => `'${status}'`).join(', ')}))`;

/** The SQL of what a member may see; they are not shown drafts. */
function visibleTo({ member_id, bookings }: NonNullable<InvoiceFilter['visible_to']>, bind: Bind): string {
  const own = `i.member_id = ${bind(member_id)} AND i.company_id IS NULL`;
  const ofBookings = `i.booking_id IS NOT NULL
    OR EXISTS (SELECT FROM invoices a WHERE a.id = i.adjusts AND a.booking_id IS NOT NULL)`;
  return `i.status <> 'draft' AND (${bookings ? `${own} OR ${ofBookings}` : own})`;
}

/** The SQL of a filter's conditions. */
export function conditionsOf(filter: Omit<InvoiceFilter, 'after' | 'limit'>, bind: Bind): string[] {
  const conditions = [`i.workspace_id = ${bind(filter.workspace_id)}`];
  for (const column of ['status', 'company_id', 'member_id', 'booking_id', 'kind', 'adjusts'] as const) {
    if (filter[column] !== undefined) conditions.push(`i.${column} = ${bind(filter[column])}`);
  }
  if (filter.visible_to) conditions.push(visibleTo(filter.visible_to, bind));
  if (filter.q !== undefined) conditions.push(invoiceMatches(filter.q, bind));
  if (filter.number !== undefined) conditions.push(numberMatches(filter.number, bind) ?? 'false');
  if (filter.reference !== undefined) conditions.push(referenceMatches(filter.reference, bind));
  if (filter.from) conditions.push(`i.created_at >= ${bind(filter.from)}`);
  if (filter.to) conditions.push(`i.created_at < ${bind(filter.to)}`);
  if (filter.due_before)
    conditions.push(
      `i.status IN ('open', 'authorised') AND i.due_at < ${bind(filter.due_before)}
        AND NOT ${ofBooking('pending_payment')}`,
    );
  if (filter.issued_only)
    conditions.push(
      `i.status NOT IN ('draft', 'cancelled') AND i.total_minor <> 0
        AND NOT ${ofBooking('pending_payment', 'expired')}`,
    );
  return conditions;
}

/** A workspace's invoices in the order of the filter; `from` and `to` are `[from, to)` on `created_at`. */
export function listInvoices(tx: Tx, filter: InvoiceFilter): Promise<InvoiceRow[]> {
  const params: unknown[] = [];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = conditionsOf(filter, bind);
  const [key, comes, order] = filter.oldest_due_first
    ? (['due_at', '>', 'ASC'] as const)
    : (['created_at', '<', 'DESC'] as const);
  if (filter.after) {
    const at = 'due_at' in filter.after ? filter.after.due_at : filter.after.created_at;
    conditions.push(`(i.${key}, i.id) ${comes} (${bind(at)}::timestamptz, ${bind(filter.after.id)})`);
  }
  return many<InvoiceRow>(
    tx,
    `${WITH_LINES} WHERE ${conditions.join(' AND ')}
     ORDER BY i.${key} ${order}, i.id ${order} LIMIT ${bind(filter.limit)}`,
    params,
  );
}

/** What is overdue of a filter's invoices in one currency. */
export interface OverdueSum {
  currency: string;
  count: number;
  /** Minor units. */
  outstanding_minor: number;
  /** When the oldest was due. */
  since: Date;
}

/** What is unpaid of invoices that were due before a time, by currency. */
export function sumOverdue(
  tx: Tx,
  filter: Omit<InvoiceFilter, 'after' | 'limit'> & { due_before: Date },
): Promise<OverdueSum[]> {
  const params: unknown[] = [];
  const conditions = conditionsOf(filter, (value) => `$${params.push(value)}`);
  return many<OverdueSum>(
    tx,
    `SELECT i.currency, count(*)::int AS count, sum(i.total_minor - ${PAID})::bigint AS outstanding_minor,
            min(i.due_at) AS since
     FROM invoices i WHERE ${conditions.join(' AND ')} GROUP BY i.currency
     ORDER BY count(*) DESC, i.currency`,
    params,
  );
}

/** The tax rates of a filter's invoices, in basis points, highest first. */
export function listTaxRates(tx: Tx, filter: Omit<InvoiceFilter, 'after' | 'limit'>): Promise<number[]> {
  const params: unknown[] = [];
  const conditions = conditionsOf(filter, (value) => `$${params.push(value)}`);
  return column<number>(
    tx,
    `SELECT DISTINCT l.tax_rate_bps FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
     WHERE ${conditions.join(' AND ')} ORDER BY l.tax_rate_bps DESC`,
    params,
  );
}
