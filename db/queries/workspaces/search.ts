import { column, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What an id leads to: the booking, invoice or payment that it belongs to. */
export interface Found {
  booking_id: string | null;
  invoice_id: string | null;
  payment_id: string | null;
}

/** A booking counts only once it is published: an unpublished one has no page. */
const PUBLISHED = (booking: string): string =>
  `(SELECT b.id FROM bookings b WHERE b.id = ${booking} AND b.published_at IS NOT NULL)`;

/** The booking that a checkout `c` pays, or whose change it pays. */
const BOOKING_OF_CHECKOUT = `coalesce(c.booking_id, (SELECT h.booking_id FROM booking_changes h
  WHERE h.id = coalesce(c.change_id, c.charged_change_id)))`;

/** By the prefix of the id: a query for what has it, of the workspace `$1`. */
const QUERIES: Record<string, string> = {
  bk: `SELECT id AS booking_id, invoice_id, NULL AS payment_id FROM bookings
    WHERE id = $2 AND workspace_id = $1 AND published_at IS NOT NULL`,
  inv: `SELECT NULL AS booking_id, id AS invoice_id, NULL AS payment_id FROM invoices
    WHERE id = $2 AND workspace_id = $1`,
  pay: `SELECT ${PUBLISHED('p.booking_id')} AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.id = $2 AND p.workspace_id = $1`,
  pi: `SELECT ${PUBLISHED('p.booking_id')} AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.processor_payment_intent_id = $2 AND p.workspace_id = $1 AND p.kind <> 'refund'`,
  re: `SELECT ${PUBLISHED('p.booking_id')} AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.processor_refund_id = $2 AND p.workspace_id = $1`,
  cs: `SELECT ${PUBLISHED(BOOKING_OF_CHECKOUT)} AS booking_id, c.invoice_id, NULL AS payment_id
    FROM checkouts c
    WHERE c.session_id = $2 AND c.workspace_id = $1`,
  chk: `SELECT ${PUBLISHED(BOOKING_OF_CHECKOUT)} AS booking_id, c.invoice_id, NULL AS payment_id
    FROM checkouts c
    WHERE c.id = $2 AND c.workspace_id = $1`,
};

/** What an id of ours or of the processor leads to; null if nothing of the workspace has it. */
export async function findById(tx: Tx, workspaceId: string, id: string): Promise<Found | null> {
  const query = QUERIES[id.split('_')[0]!];
  return query ? maybeOne<Found>(tx, query, [workspaceId, id]) : null;
}

/** The tables of ids that the dashboard shows, by prefix. */
const TABLES: Record<string, string> = {
  bk: 'bookings',
  inv: 'invoices',
  pay: 'payments',
  mem: 'members',
  evt: 'events',
};

/**
 * An id of ours, or at least eight characters of it after the prefix, as people copy it
 * from a page that cuts it.
 */
const START_OF_ID = /^([a-z]+)_[0-9a-z]{8,26}$/;

/** The id of a workspace that starts like this; null if there is none, or more than one. */
export async function findIdStartingWith(tx: Tx, workspaceId: string, start: string): Promise<string | null> {
  const table = TABLES[START_OF_ID.exec(start)?.[1] ?? ''];
  if (!table) return null;
  const ids = await column<string>(
    tx,
    `SELECT id FROM ${table} WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
    [workspaceId, start],
  );
  return ids.length === 1 ? ids[0]! : null;
}
