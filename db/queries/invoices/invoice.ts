import type { InvoiceParties } from '../../../domain/invoices/parties.js';
import type { InvoiceKind, LiveBooking } from '../../../domain/invoices/invoice.js';
import type { InvoiceFacts } from '../../../domain/invoices/invoice-presenter.js';
import type { ListedDocument } from '../../../domain/invoices/document.js';
import type { ListedStatement } from '../../../domain/invoices/statement.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { column, exists, many, manyByIds, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import {
  parseInvoiceSearch,
  numberTyped,
  wordsOfReference,
  type InvoiceSearch,
  type NumberTyped,
} from './search.js';

/** An invoice's row with its lines and the amount paid towards it. */
export type InvoiceRow = InvoiceFacts & {
  workspace_id: string;
  updated_at: Date;
  /** Null for a draft. */
  parties: InvoiceParties | null;
  pay_link_version: number;
  has_card: boolean;
  /** In the order in which they were issued. */
  documents: ListedDocument[];
  /** The statements that list it. */
  statements: ListedStatement[];
};

const INVOICES_BY_ID = {
  one: {
    name: 'invoice_by_id',
    text: `SELECT i.*, d.* FROM invoices i, invoice_details(i) d WHERE i.id = $1`,
  },
  list: {
    name: 'invoice_by_id_list',
    text: `SELECT i.*, d.* FROM invoices i, invoice_details(i) d WHERE i.id = ANY ($1) ORDER BY i.id`,
  },
};

/** Returns an invoice of a workspace, or null, also if it is not visible. */
export function findInvoice(
  tx: Tx,
  workspaceId: string,
  id: string,
  visible_to?: InvoiceFilter['visible_to'],
): Promise<InvoiceRow | null> {
  return maybeOne<InvoiceRow>(
    tx,
    `SELECT i.*, d.* FROM filtered_invoices($1) i, invoice_details(i) d WHERE i.id = $2`,
    [storedFilter({ workspace_id: workspaceId, visible_to }), id],
  );
}

/** Returns an invoice by id alone, for the workflow or transaction that owns it. */
export async function findInvoiceById(tx: Tx, id: string): Promise<InvoiceRow | null> {
  const [invoice] = await listInvoicesById(tx, [id]);
  return invoice ?? null;
}

/** Returns invoices in the order of the given ids. */
export function listInvoicesById(tx: Tx, ids: string[]): Promise<InvoiceRow[]> {
  return manyByIds<InvoiceRow>(tx, INVOICES_BY_ID, ids);
}

/** Returns the booking of an invoice while it holds its slot, otherwise null. */
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

/**
 * Returns whether an invoice has payments that are not refunded in full, or a refund that is pending.
 * Declined charges do not count.
 */
export const hasPayments = (tx: Tx, invoiceId: string): Promise<boolean> =>
  exists(
    tx,
    `SELECT FROM payments WHERE invoice_id = $1 AND CASE kind WHEN 'refund' THEN status = 'pending'
       ELSE status <> 'failed' AND amount_minor > refunded_minor END`,
    [invoiceId],
  );

/**
 * Lists a workspace's unpaid invoices whose collection does more than wait for the due date, by the time of
 * the next step.
 */
export function listCollected(tx: Tx, workspaceId: string, limit: number): Promise<InvoiceRow[]> {
  return many<InvoiceRow>(
    tx,
    `SELECT i.*, d.* FROM collections c JOIN invoices i ON i.id = c.invoice_id, invoice_details(i) d
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
   * Invoices that a member pays themselves, without drafts; with `bookings` also those of bookings and their
   * adjustments.
   */
  visible_to?: { member_id: string; bookings: boolean };
  kind?: InvoiceKind;
  /** The invoice that they adjust. */
  adjusts?: string;
  /** Words of the payer's name or address or of a reference, a number or an id. */
  q?: string;
  /** The number of an invoice or of one of its documents, as somebody typed it. */
  number?: string;
  /** Words of its reference or of the reference of one of its payments. */
  reference?: string;
  metadata?: Metadata;
  from?: Date;
  to?: Date;
  /** Only unpaid ones that were due before this time. Invoices of unpaid holds are not due. */
  due_before?: Date;
  /** Only what a payer owes, owed or was given: no drafts, unpaid or expired holds, or totals of zero. */
  issued_only?: boolean;
  /** Oldest due date first; otherwise newest first. */
  oldest_due_first?: boolean;
  /** The last row of the previous page. */
  after?: { id: string } & ({ created_at: string } | { due_at: string });
  limit: number;
}

type Filter = Omit<InvoiceFilter, 'after' | 'limit' | 'oldest_due_first'>;

/** A filter for the SQL function `filtered_invoices`. */
export type StoredFilter = Omit<Filter, 'visible_to' | 'q' | 'number' | 'reference'> & {
  seen_by?: string;
  sees_bookings?: boolean;
  search?: InvoiceSearch;
  typed?: NumberTyped;
  reference_words?: (string | null)[];
};

export const storedFilter = ({ visible_to, q, number, reference, ...filter }: Filter): StoredFilter => ({
  ...filter,
  ...(visible_to && { seen_by: visible_to.member_id, sees_bookings: visible_to.bookings }),
  search: (q === undefined ? null : parseInvoiceSearch(q)) ?? undefined,
  // No invoice matches a text that is not a number.
  typed: number === undefined ? undefined : (numberTyped(number) ?? {}),
  reference_words: reference === undefined ? undefined : wordsOfReference(reference),
});

const LIST_NEWEST = `SELECT i.*, d.* FROM (
    SELECT i.* FROM filtered_invoices($1) i
    WHERE $2::timestamptz IS NULL OR (i.created_at, i.id) < ($2, $3)
    ORDER BY i.created_at DESC, i.id DESC LIMIT $4
  ) i, invoice_details(i) d ORDER BY i.created_at DESC, i.id DESC`;

const LIST_OLDEST_DUE = `SELECT i.*, d.* FROM (
    SELECT i.* FROM filtered_invoices($1) i
    WHERE $2::timestamptz IS NULL OR (i.due_at, i.id) > ($2, $3)
    ORDER BY i.due_at, i.id LIMIT $4
  ) i, invoice_details(i) d ORDER BY i.due_at, i.id`;

/**
 * Lists a workspace's invoices in the order of the filter. `from` and `to` are `[from, to)` on `created_at`.
 */
export function listInvoices(tx: Tx, page: InvoiceFilter): Promise<InvoiceRow[]> {
  const { after, limit, oldest_due_first = false, ...filter } = page;
  const at = after && ('due_at' in after ? after.due_at : after.created_at);
  return many<InvoiceRow>(tx, oldest_due_first ? LIST_OLDEST_DUE : LIST_NEWEST, [
    storedFilter(filter),
    at ?? null,
    after?.id ?? null,
    limit,
  ]);
}

/** The overdue amount of a filter's invoices in one currency. */
export interface OverdueSum {
  currency: string;
  count: number;
  /** Minor units. */
  outstanding_minor: number;
  /** When the oldest was due. */
  since: Date;
}

/** Returns the unpaid amounts of invoices that were due before a time, by currency. */
export function sumOverdue(
  tx: Tx,
  filter: Omit<InvoiceFilter, 'after' | 'limit'> & { due_before: Date },
): Promise<OverdueSum[]> {
  return many<OverdueSum>(
    tx,
    `SELECT i.currency, count(*)::int AS count,
      sum(i.total_minor - paid_minor(i))::bigint AS outstanding_minor,
            min(i.due_at) AS since
     FROM filtered_invoices($1) i GROUP BY i.currency ORDER BY count(*) DESC, i.currency`,
    [storedFilter(filter)],
  );
}

/** Lists the tax rates of a filter's invoices, in basis points, highest first. */
export function listTaxRates(tx: Tx, filter: Omit<InvoiceFilter, 'after' | 'limit'>): Promise<number[]> {
  return column<number>(
    tx,
    `SELECT DISTINCT l.tax_rate_bps FROM filtered_invoices($1) i JOIN invoice_lines l ON l.invoice_id = i.id
     ORDER BY l.tax_rate_bps DESC`,
    [storedFilter(filter)],
  );
}
