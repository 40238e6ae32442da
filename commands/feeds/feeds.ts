import { newId } from '../../db/ids.js';
import { affected, execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import { audit } from '../audit-log/audit.js';

/** Who has a calendar address: a member, with the key of their request, null at the dashboard. */
type Holder = Pick<Principal, 'workspace_id' | 'member_id' | 'key_id'>;

/**
 * Gives a member a new calendar address (docs/rules/bookings.md#calendar-address): of a room, or with null of their own bookings.
 * An earlier one of the same ends; of two at once, one remains. `id`: of the new one; `token_hash`: SHA-256 of the token of the
 * request, with which it ends and narrows.
 */
export async function replaceFeed(
  tx: Tx,
  by: Holder,
  room_id: string | null,
  { id = newId('feed'), token_hash = null }: { id?: string; token_hash?: Buffer | null } = {},
): Promise<void> {
  const { workspace_id, member_id, key_id } = by;
  if (room_id)
    await execute(
      tx,
      `INSERT INTO room_feeds (id, workspace_id, member_id, room_id, key_id, token_hash) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (member_id, room_id) DO UPDATE SET id = EXCLUDED.id, key_id = EXCLUDED.key_id,
         token_hash = EXCLUDED.token_hash, created_at = now()`,
      [id, workspace_id, member_id, room_id, key_id, token_hash],
    );
  else
    await execute(
      tx,
      `INSERT INTO feeds (id, workspace_id, member_id, key_id, token_hash) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (member_id) DO UPDATE SET id = EXCLUDED.id, key_id = EXCLUDED.key_id,
         token_hash = EXCLUDED.token_hash, created_at = now()`,
      [id, workspace_id, member_id, key_id, token_hash],
    );
  const details = { kind: room_id ? 'room' : 'member', object_id: room_id ?? member_id };
  await audit(tx, by, { action: 'feed.created', object: id, details });
}

/** Ends a calendar address of a member. Returns false if they have none with this id. */
export async function deleteFeed(tx: Tx, by: Holder, id: string): Promise<boolean> {
  const { workspace_id, member_id } = by;
  const values = [id, workspace_id, member_id];
  const condition = `id = $1 AND workspace_id = $2 AND member_id = $3`;
  const own = await affected(tx, `DELETE FROM feeds WHERE ${condition}`, values);
  const deleted = own + (await affected(tx, `DELETE FROM room_feeds WHERE ${condition}`, values));
  if (deleted > 0) await audit(tx, by, { action: 'feed.deleted', object: id, details: {} });
  return deleted > 0;
}

/** Ends all calendar addresses of a member. */
export async function deleteFeeds(tx: Tx, workspaceId: string, memberId: string): Promise<void> {
  for (const table of ['feeds', 'room_feeds'])
    await execute(tx, `DELETE FROM ${table} WHERE workspace_id = $1 AND member_id = $2`, [
      workspaceId,
      memberId,
    ]);
}
