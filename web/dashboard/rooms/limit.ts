import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Room } from '../../../db/entities/rooms.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { boxes, type Input } from '../forms/inputs.js';
import type { PageRequest } from '../forms/page.js';

export interface WithRooms {
  rooms: { id: string; name: string; archived: boolean }[];
}

/**
 * The rooms that something can be limited to: those that are not archived, and those already chosen. Without
 * the latter, the next change would drop an archived room, and with the last room the limit itself.
 */
export async function readRooms(
  { caller: { workspace_id } }: PageRequest,
  { db }: ApiDependencies,
  limit: readonly string[] | null = null,
): Promise<Room[]> {
  const rooms = await listRooms(db.manager, { workspace_id, include_archived: true });
  return rooms.filter(({ id, archived }) => !archived || limit?.includes(id));
}

export const roomBoxes = (): Input<WithRooms> =>
  boxes('Limit to rooms (none = all rooms)', ({ rooms }) =>
    rooms.map(({ id, name, archived }) => [id, archived ? `${name} (archived)` : name]),
  );

/** The names of the rooms that something is limited to, or `all`. */
export const roomNames = (limit: readonly string[] | null, { rooms }: WithRooms): string =>
  limit
    ? limit.map((id) => rooms.find((room) => room.id === id)?.name ?? 'an archived room').join(', ')
    : 'all';
