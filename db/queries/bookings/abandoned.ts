import { column } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * A crash between the claim of a slot and the start of its workflow leaves a reservation that nothing
 * continues. Likewise, a crash before a change reaches its workflow leaves a change. After this many seconds
 * they count as abandoned. A reservation is released by the next create request for the slot, a retry with
 * the same key or the self-heal job, whichever comes first (docs/rules/bookings.md#abandoned-reservations). A
 * reservation that waits for its link to be opened is abandoned when the link ends.
 */
export const ABANDONED_AFTER_SECONDS = 60;

/** Returns a page of the abandoned reservations of one workspace or of all, by id. */
export function findAbandonedReservations(
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM bookings
     WHERE status = 'pending_payment' AND is_abandoned(bookings) AND ($1::text IS NULL OR workspace_id = $1)
       AND id > $2
     ORDER BY id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}
