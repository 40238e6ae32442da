import type { RoomOfParts } from '../../../domain/rooms/parts.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/*
 * Rooms that have a leaf in common exclude each other (docs/rules/rooms.md#parts). For a room of no parts,
 * what these add to a statement is a look into an index of `room_leaves`: `OFFSET 0` keeps the planner from
 * reading claims or blackouts first, since it does not know how few rooms have leaves.
 */

/**
 * SQL for what follows `FROM`: claims `c` of other rooms than `room`, an SQL expression, that take one of its
 * leaves during a range. A claim is found once for each leaf.
 */
export const claimsOfParts = (room: string, during: string): string =>
  `room_leaves own, LATERAL (
     SELECT * FROM part_claims p WHERE p.leaf_id = own.leaf_id AND p.during && ${during} OFFSET 0) c
   WHERE own.room_id = ${room} AND c.room_id <> own.room_id`;

/** SQL for what follows `FROM`: rooms `other` that have a leaf in common with a room, without that room. */
export const roomsSharing = (room: string): string =>
  `room_leaves own JOIN room_leaves other ON other.leaf_id = own.leaf_id AND other.room_id <> own.room_id
   WHERE own.room_id = ${room}`;

/** SQL for what follows `FROM`: blackouts `o` of rooms during a range. `rooms`: a query for their ids. */
export const blackoutsOf = (rooms: string, during: string): string =>
  `(${rooms}) closer (id), LATERAL (
     SELECT * FROM blackouts b WHERE b.room_id = closer.id AND b.during && ${during} OFFSET 0) o`;

/**
 * SQL that is true if a blackout closes a room during a range: its own, or that of a room with a common leaf.
 */
export const hasBlackout = (room: string, during: string): string =>
  `(EXISTS (SELECT FROM blackouts o WHERE o.room_id = ${room} AND o.during && ${during})
    OR EXISTS (SELECT FROM ${blackoutsOf(`SELECT other.room_id FROM ${roomsSharing(room)}`, during)}))`;

/**
 * SQL for the ids of rooms with their leaves. Whoever claims or closes a room locks all of these, in
 * order of id: of two that exclude each other, the later one sees the earlier. `rooms`: an SQL
 * expression for an array of ids.
 */
export const withLeaves = (rooms: string): string =>
  `(ARRAY(SELECT unnest(${rooms}) UNION SELECT leaf_id FROM room_leaves WHERE room_id = ANY (${rooms})))`;

/** All rooms of a workspace with their parts, archived ones too. */
export const listRoomsOfParts = (tx: Tx, workspaceId: string): Promise<(RoomOfParts & { name: string })[]> =>
  many<RoomOfParts & { name: string }>(
    tx,
    `SELECT id, name, parts, archived FROM rooms WHERE workspace_id = $1 ORDER BY created_at, id`,
    [workspaceId],
  );
