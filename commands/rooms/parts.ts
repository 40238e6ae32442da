import { execute, many, one } from '../../db/query.js';
import { listRoomsOfParts } from '../../db/queries/rooms/parts.js';
import type { Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { findLeaves, whyNotParts } from '../../domain/rooms/parts.js';
import { releaseReservation } from '../bookings/release-reservation.js';

/** A booking that prevents rooms from being linked. */
export interface Conflicting {
  id: string;
  reference: string;
  room_id: string;
  start_at: Date;
  end_at: Date;
}

/** Pairs of a room and one of its leaves. */
interface Links {
  rooms: string[];
  leaves: string[];
}

const MAX_NAMED = 100;

/**
 * Locks rooms against claims and blackouts, and stores which leaves they and the rooms around them claim once
 * a room has these parts (docs/rules/rooms.md#parts). Existing bookings get the claims that this adds, and
 * lose those that it ends. The caller stores the `parts` of the room itself afterwards, in the same
 * transaction. Errors: 409 `parts_conflict`; 422 for parts that the room cannot have.
 */
export async function linkParts(
  tx: Tx,
  { workspace_id, room_id, parts }: { workspace_id: string; room_id: string; parts: string[] },
): Promise<void> {
  // Only one change of links at a time in a workspace: two valid changes can form a circle together.
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('room_parts'), hashtext($1))`, [workspace_id]);
  const rooms = await listRoomsOfParts(tx, workspace_id);
  const room = rooms.find(({ id }) => id === room_id)!;
  const refusal = whyNotParts(rooms, room, parts);
  if (refusal) throw refusal;
  const before = await findLinks(tx, workspace_id);
  const after = toLinks(findLeaves(rooms.map((each) => (each === room ? { ...room, parts } : each))));
  const added = without(after, before);
  const removed = without(before, after);
  // Every booking and blackout of these rooms waits for this transaction, or this transaction waits for
  // theirs.
  const ids = [...new Set([room_id, ...added.rooms, ...removed.rooms])];
  await execute(tx, `SELECT FROM rooms WHERE id = ANY ($1) ORDER BY id FOR UPDATE`, [ids]);
  await assertNoConflicts(tx, added, after);
  await execute(
    tx,
    `DELETE FROM room_leaves l USING unnest($1::uuid[], $2::uuid[]) AS gone (room_id, leaf_id)
     WHERE l.room_id = gone.room_id AND l.leaf_id = gone.leaf_id`,
    [removed.rooms, removed.leaves],
  );
  // A trigger claims the leaves for existing bookings.
  await execute(
    tx,
    `INSERT INTO room_leaves (room_id, leaf_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])`,
    [added.rooms, added.leaves],
  );
}

/** Returns the leaves that rooms of a workspace claim now. */
const findLinks = (tx: Tx, workspaceId: string): Promise<Links> =>
  one<Links>(
    tx,
    `SELECT coalesce(array_agg(l.room_id), '{}') AS rooms, coalesce(array_agg(l.leaf_id), '{}') AS leaves
     FROM room_leaves l JOIN rooms ON rooms.id = l.room_id WHERE rooms.workspace_id = $1`,
    [workspaceId],
  );

function toLinks(leaves: Map<string, Set<string>>): Links {
  const pairs = [...leaves].flatMap(([room, of]) => [...of].map((leaf) => [room, leaf] as const));
  return { rooms: pairs.map(([room]) => room), leaves: pairs.map(([, leaf]) => leaf) };
}

function without(links: Links, others: Links): Links {
  const known = new Set(others.rooms.map((room, index) => `${room} ${others.leaves[index]}`));
  const isNew = (index: number): boolean => !known.has(`${links.rooms[index]} ${links.leaves[index]}`);
  return {
    rooms: links.rooms.filter((_, index) => isNew(index)),
    leaves: links.leaves.filter((_, index) => isNew(index)),
  };
}

/** Releases abandoned reservations among the conflicting ones. Errors: 409 `parts_conflict`. */
async function assertNoConflicts(tx: Tx, added: Links, after: Links): Promise<void> {
  const found = await findConflicts(tx, added, after);
  const bookings: Conflicting[] = [];
  for (const { abandoned, ...booking } of found)
    if (!abandoned || !(await releaseReservation(tx, booking.id, 'abandoned'))) bookings.push(booking);
  if (bookings.length === 0) return;
  // Abandoned reservations were released, so there may be fewer conflicts now.
  if (bookings.length < found.length) return assertNoConflicts(tx, added, after);
  const message =
    'Bookings of the room and of its parts overlap. Move or cancel one booking of each overlapping ' +
    'pair in details.bookings first.';
  throw new ApiError('parts_conflict', message, { param: 'parts', details: { bookings } });
}

/**
 * Returns claims, from now on, that would take the same leaf once a room has these leaves, as bookings by
 * start.
 */
function findConflicts(
  tx: Tx,
  added: Links,
  after: Links,
): Promise<(Conflicting & { abandoned: boolean })[]> {
  return many<Conflicting & { abandoned: boolean }>(
    tx,
    `WITH added AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS l (room_id, leaf_id)),
     links AS (SELECT * FROM unnest($3::uuid[], $4::uuid[]) AS l (room_id, leaf_id)),
     pairs AS (
       SELECT c.booking_id AS one, d.booking_id AS other
       FROM added JOIN slot_claims c ON c.room_id = added.room_id AND c.during && tstzrange(now(), NULL)
       JOIN links ON links.leaf_id = added.leaf_id AND links.room_id <> added.room_id
       JOIN slot_claims d ON d.room_id = links.room_id AND d.during && c.during
         AND d.during && tstzrange(now(), NULL) AND d.booking_id <> c.booking_id
     )
     SELECT bookings.id, bookings.reference, bookings.room_id, bookings.start_at, bookings.end_at,
       is_abandoned(bookings) AS abandoned
     FROM bookings WHERE id IN (SELECT one FROM pairs UNION SELECT other FROM pairs)
     ORDER BY bookings.start_at, bookings.id LIMIT $5`,
    [added.rooms, added.leaves, after.rooms, after.leaves, MAX_NAMED],
  );
}
