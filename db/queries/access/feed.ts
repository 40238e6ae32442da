import type { Role } from '../../../domain/policies.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A calendar address. */
export interface FeedRow {
  id: string;
  workspace_id: string;
  member_id: string;
  /** Null: the member's own bookings. */
  room_id: string | null;
  created_at: Date;
}

const FEEDS = `(
  SELECT id, workspace_id, member_id, NULL::uuid AS room_id, key_id, created_at FROM feeds
  UNION ALL SELECT id, workspace_id, member_id, room_id, key_id, created_at FROM room_feeds)`;

/** SQL that is true for an address `f` whose key, if it has one, was not revoked. */
const HAS_KEY = `NOT EXISTS (SELECT FROM api_keys k WHERE k.id = f.key_id AND k.revoked_at IS NOT NULL)`;

/** SQL for the role that an address `f` of a member `m` has now: that of its key, or of the member. `none` if an issuer has left. */
const ROLE = `coalesce((SELECT CASE WHEN t.issuer_ids = '{}' THEN m.role
    ELSE coalesce(acting_role(m.role, t.issuer_role, t.issuer_ids), 'none') END
  FROM api_tokens t WHERE t.key_id = f.key_id ORDER BY t.ends_at DESC NULLS FIRST LIMIT 1), m.role)`;

/**
 * A calendar address by its id, with the role that it has now; null if it was replaced, its key was revoked, or its member or
 * who issued its key has left.
 */
export const findFeed = (tx: Tx, id: string): Promise<(FeedRow & { role: Role }) | null> =>
  maybeOne(
    tx,
    `SELECT f.*, a.role FROM ${FEEDS} f JOIN members m ON m.id = f.member_id CROSS JOIN LATERAL (SELECT ${ROLE}) a (role)
     WHERE f.id = $1 AND m.status NOT IN ('invited', 'archived', 'deleted') AND ${HAS_KEY} AND a.role <> 'none'`,
    [id],
  );

/** The id of a member's address of a room, or with null of their own bookings; null without one. */
export async function findFeedOf(tx: Tx, memberId: string, roomId: string | null): Promise<string | null> {
  const found = await maybeOne<{ id: string }>(
    tx,
    `SELECT f.id FROM ${FEEDS} f WHERE f.member_id = $1 AND f.room_id IS NOT DISTINCT FROM $2 AND ${HAS_KEY}`,
    [memberId, roomId],
  );
  return found && found.id;
}

/** The calendar addresses of a member, newest first. */
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
    `SELECT f.* FROM ${FEEDS} f
     WHERE f.workspace_id = $1 AND f.member_id = $2 AND ${HAS_KEY} AND ($3::text IS NULL OR f.id = $3)
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
