import { column, many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A checkout whose state at the processor may not be final. */
export interface CheckoutToCheck {
  checkoutId: string;
  workspaceId: string;
  /** The booking, or the checkout itself if it pays an invoice or a change. */
  ownerId: string;
  /** The booking or invoice checkout whose run waits for it. */
  runId: string;
  /** A live booking, a payable invoice or a pending change waits for it. */
  pending: boolean;
  /** The booking or change that it would pay for has ended without it, so any session must be closed. */
  abandoned: boolean;
}

/** Returns a page of the unresolved hosted checkouts of at least this age, by id, after the given one. */
export function findCheckoutsToCheck(
  tx: Tx,
  query: { workspaceId?: string; after: string; olderThanSeconds: number; limit: number },
): Promise<CheckoutToCheck[]> {
  return many<CheckoutToCheck>(
    tx,
    `SELECT c.id AS "checkoutId", c.workspace_id AS "workspaceId", c.owner_id AS "ownerId",
            coalesce(ch.booking_id, c.owner_id) AS "runId",
            c.state = 'abandoned' OR (c.state = 'open' AND NOT pending) AS abandoned, pending
     FROM checkouts c LEFT JOIN bookings b ON b.id = c.booking_id
     LEFT JOIN booking_changes ch ON ch.id = c.change_id,
     LATERAL (SELECT coalesce(b.status = 'pending_payment', ch.state IN ('opening', 'pending'),
                              c.state = 'open' AND c.invoice_id IS NOT NULL, false) AS pending) AS owner
     WHERE c.state NOT IN ('paid', 'closed') AND c.payment_method_id IS NULL AND c.charged_change_id IS NULL
       AND c.created_at <= now() - make_interval(secs => $1)
       AND (c.state <> 'opening' OR c.invoice_id IS NOT NULL OR b.id IS NULL)
       AND ($2::text IS NULL OR c.workspace_id = $2) AND c.id > $3
     ORDER BY c.id LIMIT $4`,
    [query.olderThanSeconds, query.workspaceId ?? null, query.after, query.limit],
  );
}

interface PageQuery {
  workspaceId?: string;
  /** The last id of the previous page. */
  after: string;
  limit: number;
}

/**
 * Returns a page of the bookings that their workflow should have expired, completed or charged, or a change
 * of which it should have ended, by id. A workflow acts within seconds, unless it is lost.
 */
export function findOverdueBookings(tx: Tx, { workspaceId, after, limit }: PageQuery): Promise<string[]> {
  return column<string>(
    tx,
    // Each part reads a partial index of live rows. A single condition with OR would read all bookings that
    // ever existed.
    `SELECT id FROM (
       SELECT id, workspace_id FROM bookings
       WHERE status = 'pending_payment' AND published_at IS NOT NULL
         AND expires_at < now() - interval '1 minute'
       UNION
       SELECT id, workspace_id FROM bookings
       WHERE status = 'confirmed' AND published_at IS NOT NULL AND end_at < now() - interval '1 minute'
       UNION
       SELECT b.id, b.workspace_id FROM booking_changes c JOIN bookings b ON b.id = c.booking_id
       WHERE c.state = 'charging' AND c.created_at < now() - interval '1 minute'
         AND b.published_at IS NOT NULL
       UNION
       SELECT b.id, b.workspace_id FROM checkouts k JOIN booking_changes c ON c.id = k.charged_change_id
       JOIN bookings b ON b.id = c.booking_id
       WHERE k.state NOT IN ('paid', 'closed') AND k.created_at < now() - interval '1 minute'
         AND b.published_at IS NOT NULL
       UNION
       SELECT b.id, b.workspace_id FROM booking_changes c JOIN bookings b ON b.id = c.booking_id
       WHERE c.state IN ('opening', 'pending')
         AND coalesce(c.expires_at, c.created_at) < now() - interval '1 minute'
         AND b.published_at IS NOT NULL
     ) overdue
     WHERE ($1::text IS NULL OR workspace_id = $1) AND id > $2
     ORDER BY id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}

/**
 * Returns a page of the pending refunds, which must have a running workflow, and of those to be retried, by
 * id.
 */
export function findUnfinishedRefunds(tx: Tx, { workspaceId, after, limit }: PageQuery): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM payments
     WHERE kind = 'refund' AND status = 'pending'
       AND (created_at < now() - interval '1 minute' OR unfunded_since IS NOT NULL)
       AND ($1::text IS NULL OR workspace_id = $1) AND id > $2
     ORDER BY id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}
