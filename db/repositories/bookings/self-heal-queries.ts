import { column, many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A checkout whose state at the processor may not be final. */
export interface CheckoutToCheck {
  checkoutId: string;
  /** The id of the booking, or of the checkout itself if it pays an invoice. */
  ownerId: string;
  /** A live booking or a payable invoice waits for it. */
  pending: boolean;
  /** Its create failed: any session must be closed. */
  abandoned: boolean;
}

/** A page of the unresolved checkouts of at least this age, by id, after the given one. */
export function findCheckoutsToCheck(
  tx: Tx,
  query: { workspaceId?: string; after: string; olderThanSeconds: number; limit: number },
): Promise<CheckoutToCheck[]> {
  return many<CheckoutToCheck>(
    tx,
    `SELECT c.id AS "checkoutId", c.owner_id AS "ownerId", c.state = 'abandoned' AS abandoned,
            coalesce(b.status = 'pending_payment', c.state = 'open' AND c.invoice_id IS NOT NULL, false) AS pending
     FROM checkouts c LEFT JOIN bookings b ON b.id = c.booking_id
     WHERE c.state NOT IN ('paid', 'closed') AND c.created_at <= now() - make_interval(secs => $1)
       AND (c.state <> 'opening' OR c.invoice_id IS NOT NULL OR b.id IS NULL)
       AND ($2::text IS NULL OR c.workspace_id = $2) AND c.id > $3
     ORDER BY c.id LIMIT $4`,
    [query.olderThanSeconds, query.workspaceId ?? null, query.after, query.limit],
  );
}

/** Bookings that their workflow should have expired, completed or charged: it acts within seconds unless it is lost. */
export function findOverdueBookings(tx: Tx, workspaceId?: string): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM bookings
     WHERE published_at IS NOT NULL AND ($1::text IS NULL OR workspace_id = $1)
       AND ((status = 'pending_payment' AND expires_at < now() - interval '1 minute')
         OR (status = 'confirmed' AND end_at < now() - interval '1 minute')
         OR id IN (SELECT booking_id FROM booking_changes
                   WHERE state IN ('charging', 'withdrawn') AND created_at < now() - interval '1 minute'))
     ORDER BY start_at LIMIT 1000`,
    [workspaceId ?? null],
  );
}

/** Pending refunds, which must have a running workflow, and those that are to be tried again. */
export function findUnfinishedRefunds(tx: Tx, workspaceId?: string): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM payments
     WHERE kind = 'refund' AND status = 'pending'
       AND (created_at < now() - interval '1 minute' OR unfunded_since IS NOT NULL)
       AND ($1::text IS NULL OR workspace_id = $1)
     ORDER BY created_at LIMIT 1000`,
    [workspaceId ?? null],
  );
}
