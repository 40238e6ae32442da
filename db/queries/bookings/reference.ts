import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns the reference of a booking of a workspace, or null. */
export async function findReference(
  tx: Tx,
  workspaceId: string,
  bookingId: string | null,
): Promise<string | null> {
  if (!bookingId) return null;
  const sql = `SELECT reference FROM bookings WHERE id = $1 AND workspace_id = $2`;
  return (await maybeOne<{ reference: string }>(tx, sql, [bookingId, workspaceId]))?.reference ?? null;
}

/** Returns the references of bookings of a workspace, by id. */
export async function findReferences(
  tx: Tx,
  workspaceId: string,
  bookingIds: string[],
): Promise<Map<string, string>> {
  const rows = await many<{ id: string; reference: string }>(
    tx,
    `SELECT id, reference FROM bookings WHERE id = ANY ($2) AND workspace_id = $1`,
    [workspaceId, bookingIds],
  );
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}
