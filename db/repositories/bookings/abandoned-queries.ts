import { column } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * A crash between the claim of a slot and the start of its workflow leaves a reservation that nothing continues. After
 * this long it counts as abandoned: the next create for the slot, a retry with the same key or the self-heal job
 * releases it, whichever comes first (docs/rules/bookings.md#abandoned-reservations).
 */
const ABANDONED_AFTER_SECONDS = 60;

/** SQL over `bookings` that is true for an abandoned reservation. */
export const ABANDONED = `bookings.published_at IS NULL
  AND bookings.created_at < now() - interval '${ABANDONED_AFTER_SECONDS} seconds'`;

/** Abandoned reservations of one workspace, or of all. */
export function findAbandonedReservations(tx: Tx, workspaceId?: string): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM bookings
     WHERE status = 'pending_payment' AND ${ABANDONED} AND ($1::text IS NULL OR workspace_id = $1)
     ORDER BY created_at LIMIT 1000`,
    [workspaceId ?? null],
  );
}
