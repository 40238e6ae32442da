import type { ApiDependencies } from '../../../api/dependencies.js';
import { roomIn } from '../../../api/resources/rooms/operations.js';
import type { Room } from '../../../db/entities/rooms.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import { listBlackouts, type BlackoutRow } from '../../../db/queries/blackouts/blackout.js';
import { listBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { findMemberFeed } from '../../../db/queries/feeds/feed.js';
import { listRoomsOfParts } from '../../../db/queries/rooms/parts.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { possibleParts, type RoomOfParts } from '../../../domain/rooms/parts.js';
import { presentRoom, type PresentedRoom } from '../../../domain/rooms/presenter.js';
import type { PageRequest } from '../forms/page.js';
import { readWeek, type RoomWeek } from './week.js';

export type NamedRoom = RoomOfParts & { name: string };

/** A room among those that it includes, is included by, or could include. */
interface Family {
  parts: NamedRoom[];
  wholes: NamedRoom[];
  /** The rooms to choose parts from; the current ones are among them. */
  possible: NamedRoom[];
}

export interface RoomPage {
  room: Room;
  /** The room as the API shows it, which its forms change. */
  shown: PresentedRoom;
  workspace: Workspace;
  /** Whether its reader may change its settings. */
  edits: boolean;
  week: RoomWeek;
  /** Current and upcoming blackouts. */
  blackouts: BlackoutRow[];
  family: Family;
  /** The address of its calendar; null without one. */
  feed: string | null;
  canUpload: boolean;
}

const MAX_BLACKOUTS = 50;

/** Reads the rooms that the form for a room's parts shows. */
async function readFamily({ db }: ApiDependencies, { id, workspace_id }: Room): Promise<Family> {
  const rooms = await listRoomsOfParts(db.manager, workspace_id);
  const room = rooms.find((each) => each.id === id)!;
  return {
    parts: rooms.filter((each) => room.parts.includes(each.id)),
    wholes: rooms.filter(({ parts }) => parts.includes(id)),
    possible: possibleParts(rooms, room),
  };
}

/** Reads the page of the room in the address. Errors: 404 `room_not_found`. */
export async function readRoom({ caller, params }: PageRequest, deps: ApiDependencies): Promise<RoomPage> {
  const { manager } = deps.db;
  const room = await roomIn(manager, caller, params.id!);
  const [week, workspace, blackouts, family, feed] = await Promise.all([
    readWeek(deps, room),
    findWorkspace(manager, room.workspace_id),
    listBlackouts(manager, { room_id: room.id, ending_after: new Date(), limit: MAX_BLACKOUTS }),
    readFamily(deps, room),
    findMemberFeed(manager, caller.member_id, room.id),
  ]);
  return {
    room,
    shown: presentRoom(room),
    workspace: workspace!,
    edits: can(caller.role, 'write_rooms'),
    week,
    blackouts,
    family,
    feed: feed && deps.feedLinks.linkTo(feed),
    canUpload: deps.pictures !== null,
  };
}

export const MAX_CHECKED = 500;

/** The confirmed bookings of a room that have not started, the first 500. */
export function listUpcomingBookings({ db }: ApiDependencies, room: Room): Promise<BookingRow[]> {
  const now = new Date();
  return listBookings(db.manager, {
    workspace_id: room.workspace_id,
    room_id: room.id,
    status: 'confirmed',
    from: now,
    to: new Date(now.getTime() + 730 * DAY_MS),
    limit: MAX_CHECKED,
  });
}
