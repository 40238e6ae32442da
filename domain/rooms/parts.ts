import { invalidField, type ApiError } from '../errors.js';

/** How many levels of parts a room may have below it. */
export const MAX_PART_LEVELS = 3;
/** How many rooms without parts of their own a room may consist of. */
export const MAX_LEAVES = 32;

/** What a room consists of: ids of rooms, which may have parts too (docs/rules/rooms.md#parts). */
export interface RoomOfParts {
  id: string;
  parts: string[];
  archived: boolean;
}

/** Where a room is among others. */
interface PartTree {
  leaves: Set<string>;
  levels: number;
}

/** The places of all rooms; null if a room is a part of itself. */
function buildPartTrees(rooms: ReadonlyMap<string, RoomOfParts>): Map<string, PartTree> | null {
  const places = new Map<string, PartTree | null>();
  /** Null while the room's parts are being looked at: whoever meets it then is below it. */
  const buildPartTree = (id: string): PartTree | null => {
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, null);
    const parts = rooms.get(id)?.parts ?? [];
    const place: PartTree = { leaves: new Set(parts.length > 0 ? [] : [id]), levels: 0 };
    for (const part of parts) {
      const below = buildPartTree(part);
      if (!below) return null;
      for (const leaf of below.leaves) place.leaves.add(leaf);
      place.levels = Math.max(place.levels, below.levels + 1);
    }
    places.set(id, place);
    return place;
  };
  for (const id of rooms.keys()) if (!buildPartTree(id)) return null;
  return places as Map<string, PartTree>;
}

/**
 * The leaves that a booking of each room claims: the rooms without parts that it consists of; itself,
 * for one that is only a part. Rooms that have no parts and are none are not in the result. Throws if a
 * room is a part of itself.
 */
export function findLeaves(rooms: Iterable<RoomOfParts>): Map<string, Set<string>> {
  const byId = new Map(Array.from(rooms, (room) => [room.id, room]));
  const places = buildPartTrees(byId);
  if (!places) throw new Error('a room is a part of itself');
  const parts = new Set([...byId.values()].flatMap((room) => room.parts));
  return new Map(
    [...places]
      .filter(([id, { levels }]) => levels > 0 || parts.has(id))
      .map(([id, { leaves }]) => [id, leaves]),
  );
}

/** The rooms that a room consists of, at all levels, and itself. */
function withParts(
  id: string,
  rooms: ReadonlyMap<string, RoomOfParts>,
  found = new Set<string>(),
): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const part of rooms.get(id)?.parts ?? []) withParts(part, rooms, found);
  return found;
}

/**
 * The rooms that a room could have as one more part, and its current ones. `rooms`: as for `whyNotParts`,
 * which decides about each: a part changes nothing but its room and those that this is a part of, so that no
 * others need to be looked at.
 */
export function possibleParts<Of extends RoomOfParts>(rooms: Of[], room: Of): Of[] {
  const byId = new Map(rooms.map((each) => [each.id, each]));
  const wholes = new Map<string, string[]>();
  for (const { id, parts } of rooms)
    for (const part of parts) wholes.set(part, [...(wholes.get(part) ?? []), id]);
  const above = new Set([room.id]);
  for (const id of above) for (const whole of wholes.get(id) ?? []) above.add(whole);
  const concerned = [...above].flatMap((id) => [...withParts(id, byId)]);
  return rooms.filter((each) => {
    if (room.parts.includes(each.id)) return true;
    const ids = new Set([...concerned, ...withParts(each.id, byId)]);
    const among = Array.from(ids, (id) => byId.get(id)).filter((of) => of !== undefined);
    return !whyNotParts(among, room, [...room.parts, each.id]);
  });
}

/**
 * Why a room cannot have these parts, or null. `rooms`: those of its workspace, the room included with
 * the parts that it has now.
 */
export function whyNotParts(rooms: RoomOfParts[], room: RoomOfParts, parts: string[]): ApiError | null {
  const byId = new Map(rooms.map((each) => [each.id, each]));
  const added = parts.filter((id) => !room.parts.includes(id));
  if (added.some((id) => !byId.has(id)))
    return invalidField('parts', 'must be ids of rooms of the workspace');
  if (added.some((id) => byId.get(id)!.archived))
    return invalidField('parts', 'must not include archived rooms');
  const places = buildPartTrees(byId.set(room.id, { ...room, parts }));
  if (!places)
    return invalidField('parts', 'must not include the room itself, or a room that it is a part of');
  const { levels, leaves } = [...places.values()].reduce(
    (most, place) => ({
      levels: Math.max(most.levels, place.levels),
      leaves: Math.max(most.leaves, place.leaves.size),
    }),
    { levels: 0, leaves: 0 },
  );
  if (levels > MAX_PART_LEVELS)
    return invalidField('parts', `must not lead to more than ${MAX_PART_LEVELS} levels of parts`);
  if (leaves > MAX_LEAVES)
    return invalidField('parts', `must not lead to a room with more than ${MAX_LEAVES} parts`);
  return null;
}
