import type { Role } from '../../../domain/policies.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A calendar feed. */
export interface FeedRow {
  id: string;
  workspace_id: string;
  member_id: string;
  /** Null: the member's own bookings. */
  room_id: string | null;
  created_at: Date;
}

/** What a feed permits now. */
export interface OpenFeed extends FeedRow {
  /** The role of its token, or of its member. */
  role: Role;
  /** True if the allowlist of its token includes the client's address. */
  ip_allowed: boolean;
}

/**
 * Returns a calendar feed by its id, for a client's address. Null if it was replaced, its member has left, or
 * its token has ended or can no longer read bookings.
 */
export const findFeed = (tx: Tx, id: string, clientAddress: string): Promise<OpenFeed | null> =>
  maybeOne(
    tx,
    `SELECT f.id, f.workspace_id, f.member_id, f.room_id, f.created_at,
            coalesce(f.token_role, m.role) AS role, f.ip_allowed
     FROM readable_feeds($2::inet) f JOIN members m ON m.id = f.member_id
     WHERE f.id = $1 AND may_accept(m)`,
    [id, clientAddress],
  );

/** Returns the id of a member's feed of a room, or with null of their own bookings; null if there is none. */
export async function findMemberFeed(
  tx: Tx,
  memberId: string,
  roomId: string | null,
): Promise<string | null> {
  const found = await maybeOne<{ id: string }>(
    tx,
    `SELECT f.id FROM readable_feeds(NULL) f
     WHERE f.member_id = $1 AND f.room_id IS NOT DISTINCT FROM $2`,
    [memberId, roomId],
  );
  return found && found.id;
}

/** Lists the calendar feeds of a member that have not ended, newest first. */
export const listFeeds = (
  tx: Tx,
  filter: {
    workspace_id: string;
    member_id: string;
    id?: string;
    after?: { created_at: string; id: string };
    limit: number;
  },
): Promise<FeedRow[]> =>
  many<FeedRow>(
    tx,
    `SELECT f.id, f.workspace_id, f.member_id, f.room_id, f.created_at FROM readable_feeds(NULL) f
     WHERE f.workspace_id = $1 AND f.member_id = $2 AND ($3::text IS NULL OR f.id = $3)
       AND ($4::timestamptz IS NULL OR (f.created_at, f.id) < ($4, $5))
     ORDER BY f.created_at DESC, f.id DESC LIMIT $6`,
    [
      filter.workspace_id,
      filter.member_id,
      filter.id ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
