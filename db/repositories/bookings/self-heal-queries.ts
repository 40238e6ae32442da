import type { Tx } from '../../transaction.js';

/** A checkout that the processor hasn't called final. */
export interface CheckoutToCheck {
  checkoutId: string;
  /** The booking, or where it pays an invoice the checkout itself. */
  ownerId: string;
  /** A live booking or a payable invoice waits for it. */
  pending: boolean;
  /** Its create failed; whatever session exists must be closed. */
  abandoned: boolean;
}

/** Unresolved checkouts older than the given age, by id, after the given one. */
export function findCheckoutsToCheck(
  tx: Tx,
  query: { workspaceId?: string; after: string; olderThanSeconds: number; limit: number },
): Promise<CheckoutToCheck[]> {
  return tx.query(
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

/** A run acts within seconds of its time; one that is a minute late is lost or stuck. */
export async function findOverdueBookings(tx: Tx, workspaceId?: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM bookings
     WHERE published_at IS NOT NULL AND ($1::text IS NULL OR workspace_id = $1)
       AND ((status = 'pending_payment' AND expires_at < now() - interval '1 minute')
         OR (status = 'confirmed' AND end_at < now() - interval '1 minute')
         OR id IN (SELECT booking_id FROM booking_changes
                   WHERE state = 'charging' AND created_at < now() - interval '1 minute'))
     ORDER BY start_at LIMIT 1000`,
    [workspaceId ?? null],
  );
  return rows.map((row) => row.id);
}

/** Refunds that have not ended, and so must have a run that follows them. */
export async function findUnfinishedRefunds(tx: Tx, workspaceId?: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM payments
     WHERE kind = 'refund' AND status = 'pending' AND created_at < now() - interval '1 minute'
       AND ($1::text IS NULL OR workspace_id = $1)
     ORDER BY created_at LIMIT 1000`,
    [workspaceId ?? null],
  );
  return rows.map((row) => row.id);
}
