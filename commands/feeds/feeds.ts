import type { DataSource } from 'typeorm';
import { asId, newId } from '../../db/ids.js';
import { affected, execute } from '../../db/query.js';
import { Feed, RoomFeed } from '../../db/entities/access.js';
import { listFeeds } from '../../db/queries/feeds/feed.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { presentFeed } from '../../domain/feeds/presenter.js';
import { authorize, type Principal } from '../../domain/policies.js';
import { noSuchRoom } from '../../domain/rooms/room.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';

/** The holder of a calendar feed: a member, with the key of their request (null in the dashboard). */
type Holder = Pick<Principal, 'workspace_id' | 'member_id' | 'key_id'>;

/** Errors: 404 `room_not_found`. */
async function assertRoom(tx: Tx, { workspace_id }: Holder, id: string, param?: string): Promise<void> {
  if (!(await findRoom(tx, workspace_id, id))) throw noSuchRoom(param);
}

/**
 * Creates a calendar feed (docs/rules/bookings.md#calendar-address): for a room, or for the bookings of the
 * caller's member, given by their id. `token_hash`: SHA-256 of the token of the request. The feed ends and
 * narrows together with that token. Errors: 403 `role_insufficient` for another member,
 * `auth_scope_insufficient` for a key that cannot read bookings; 404 `room_not_found`; 404 `not_found` for a
 * repeat whose feed has ended; 409 `idempotency_conflict`.
 */
export async function createFeed(
  db: DataSource,
  caller: Principal,
  { kind, id: of }: { kind: 'room' | 'member'; id: string },
  { idempotency, token_hash }: { idempotency: IdempotencyKey | null; token_hash: Buffer },
): Promise<Created<ReturnType<typeof presentFeed>>> {
  const { workspace_id, member_id } = caller;
  const id = newId('feed');
  const room_id = kind === 'room' ? of.toLowerCase() : null;
  // A feed has its member's rights, so nobody can create one of another member's bookings.
  if (room_id === null && asId('mem', of) !== member_id)
    throw new ApiError(
      'role_insufficient',
      'A calendar address of the kind member is for your own bookings. Send your own member id.',
    );
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        if (room_id !== null) await assertRoom(tx, caller, room_id, 'id');
        // Reading the feed needs no key, so it must not show anything that the key of this request cannot
        // read.
        authorize(caller, 'calendar:read', 'own_bookings');
        await replaceFeed(tx, caller, room_id, { id, token_hash });
      },
      async find(tx, id) {
        const [feed] = await listFeeds(tx, { workspace_id, member_id, id, limit: 1 });
        return feed ? presentFeed(feed) : null;
      },
    },
  );
}

/**
 * Creates a new calendar feed for a member in the dashboard: for a room, or with null for their own bookings.
 * It replaces an earlier feed of the same kind. Errors: 404 `room_not_found`.
 */
export const renewFeed = (db: DataSource, by: Holder, room_id: string | null): Promise<void> =>
  transaction(db, async (tx) => {
    if (room_id !== null) await assertRoom(tx, by, room_id);
    await replaceFeed(tx, by, room_id, { id: newId('feed'), token_hash: null });
  });

/**
 * Stores a feed in place of an earlier one for the same room or bookings. Of two concurrent calls, one feed
 * remains.
 */
async function replaceFeed(
  tx: Tx,
  by: Holder,
  room_id: string | null,
  { id, token_hash }: { id: string; token_hash: Buffer | null },
): Promise<void> {
  const { workspace_id, member_id, key_id } = by;
  if (room_id)
    await execute(
      tx,
      `INSERT INTO room_feeds (id, workspace_id, member_id, room_id, key_id, token_hash)
       VALUES ($1, $2, $3, $4, $5, $6)
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

/** Ends a calendar feed of a member. Errors: 404 `not_found`. */
export const deleteFeed = (db: DataSource, by: Holder, id: string): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id, member_id } = by;
    const deleted = await affected(
      tx,
      `WITH own AS (DELETE FROM feeds WHERE id = $1 AND workspace_id = $2 AND member_id = $3 RETURNING id),
         of_room AS (
           DELETE FROM room_feeds WHERE id = $1 AND workspace_id = $2 AND member_id = $3 RETURNING id)
       SELECT id FROM own UNION ALL SELECT id FROM of_room`,
      [id, workspace_id, member_id],
    );
    if (deleted === 0) throw new ApiError('not_found', 'You have no such calendar address.');
    await audit(tx, by, { action: 'feed.deleted', object: id, details: {} });
  });

/** Ends all calendar feeds of a member. */
export async function deleteFeeds(tx: Tx, workspaceId: string, memberId: string): Promise<void> {
  await tx.delete(Feed, { workspace_id: workspaceId, member_id: memberId });
  await tx.delete(RoomFeed, { workspace_id: workspaceId, member_id: memberId });
}
