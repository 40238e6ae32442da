import { invalidField, type ApiError } from '../errors.js';

/** The maximum number of levels of parts below a room. */
const MAX_PART_LEVELS = 3;
/** The maximum number of leaves (rooms without parts) of a room. */
export const MAX_LEAVES = 32;

/** A room and its parts: ids of rooms, which may also have parts (docs/rules/rooms.md#parts). */
export interface RoomOfParts {
  id: string;
  parts: string[];
  archived: boolean;
}

/** The leaves of a room, and the number of levels of parts below it. */
interface PartTree {
  leaves: Set<string>;
  levels: number;
}

/** Returns the trees of all rooms; null if a room is a part of itself. */
function buildPartTrees(rooms: ReadonlyMap<string, RoomOfParts>): Map<string, PartTree> | null {
  const places = new Map<string, PartTree | null>();
  /**
   * Null while the room's parts are being visited. Reaching the room again then means that it is a part of
   * itself.
   */
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
 * Returns the leaves that a booking of each room claims: the rooms without parts of which it consists, or the
 * room itself if it has no parts. Rooms that neither have parts nor are a part are left out. Throws if a room
 * is a part of itself.
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

/** Returns the room and its parts at all levels. */
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
 * Returns the room's current parts and the rooms that it could have as an additional part. `rooms`: as for
 * `whyNotParts`, which checks each one. An additional part only affects the room and the rooms above it, so
 * no others are checked.
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
 * Returns why a room cannot have these parts, or null. `rooms`: the rooms of its workspace, including the
 * room with its current parts.
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
