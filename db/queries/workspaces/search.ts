import { column, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What an id leads to: the booking, invoice or payment to which it belongs. */
export interface Found {
  booking_id: string | null;
  invoice_id: string | null;
  payment_id: string | null;
}

/**
 * For each prefix of an id, a query for the object with the id in the workspace `$1`. A booking counts only
 * once it is published, because an unpublished one has no page.
 */
const QUERIES: Record<string, string> = {
  bk: `SELECT id AS booking_id, invoice_id, NULL AS payment_id FROM bookings
    WHERE id = $2 AND workspace_id = $1 AND published_at IS NOT NULL`,
  inv: `SELECT NULL AS booking_id, id AS invoice_id, NULL AS payment_id FROM invoices
    WHERE id = $2 AND workspace_id = $1`,
  pay: `SELECT (SELECT b.id FROM bookings b WHERE b.id = p.booking_id
    AND b.published_at IS NOT NULL) AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.id = $2 AND p.workspace_id = $1`,
  pi: `SELECT (SELECT b.id FROM bookings b WHERE b.id = p.booking_id
    AND b.published_at IS NOT NULL) AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.processor_payment_intent_id = $2 AND p.workspace_id = $1 AND p.kind <> 'refund'`,
  re: `SELECT (SELECT b.id FROM bookings b WHERE b.id = p.booking_id
    AND b.published_at IS NOT NULL) AS booking_id, p.invoice_id, p.id AS payment_id FROM payments p
    WHERE p.processor_refund_id = $2 AND p.workspace_id = $1`,
  cs: `SELECT (SELECT b.id FROM bookings b WHERE b.id = coalesce(c.booking_id, (SELECT h.booking_id
    FROM booking_changes h WHERE h.id = coalesce(c.change_id, c.charged_change_id)))
    AND b.published_at IS NOT NULL) AS booking_id, c.invoice_id, NULL AS payment_id FROM checkouts c
    WHERE c.session_id = $2 AND c.workspace_id = $1`,
  chk: `SELECT (SELECT b.id FROM bookings b WHERE b.id = coalesce(c.booking_id, (SELECT h.booking_id
    FROM booking_changes h WHERE h.id = coalesce(c.change_id, c.charged_change_id)))
    AND b.published_at IS NOT NULL) AS booking_id, c.invoice_id, NULL AS payment_id FROM checkouts c
    WHERE c.id = $2 AND c.workspace_id = $1`,
};

/** Returns what an id of ours or of the processor leads to; null if nothing in the workspace has it. */
export async function findById(tx: Tx, workspaceId: string, id: string): Promise<Found | null> {
  const query = QUERIES[id.split('_')[0]!];
  return query ? maybeOne<Found>(tx, query, [workspaceId, id]) : null;
}

/**
 * An id of ours, or at least eight characters of it after the prefix, as people copy it from a page that cuts
 * it off.
 */
const START_OF_ID = /^([a-z]+)_[0-9a-z]{8,26}$/;

/** For each prefix of the ids that the dashboard shows, a query for two ids that start like this. */
const STARTING_WITH: Record<string, string> = {
  bk: `SELECT id FROM bookings WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
  inv: `SELECT id FROM invoices WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
  pay: `SELECT id FROM payments WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
  mem: `SELECT id FROM members WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
  evt: `SELECT id FROM events WHERE id >= $2 AND id < $2 || '~' AND workspace_id = $1 LIMIT 2`,
};

/** Returns the id of a workspace that starts like this; null if there is none, or more than one. */
export async function findIdStartingWith(tx: Tx, workspaceId: string, start: string): Promise<string | null> {
  const query = STARTING_WITH[START_OF_ID.exec(start)?.[1] ?? ''];
  if (!query) return null;
  const ids = await column<string>(tx, query, [workspaceId, start]);
  return ids.length === 1 ? ids[0]! : null;
}
