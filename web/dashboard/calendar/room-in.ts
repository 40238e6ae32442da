import { findRoom } from '../../../db/queries/rooms/room.js';
import type { Room } from '../../../db/entities/rooms.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Errors: 404 `room_not_found`. */
export async function roomIn(ctx: ApiContext, { db }: ApiDependencies, id: string): Promise<Room> {
  const { workspace_id } = ctx.state.membership!;
  const room = UUID.test(id) ? await findRoom(db.manager, workspace_id, id) : null;
  if (!room) throw new ApiError('room_not_found', 'Room not found.', { param: 'room_id' });
  return room;
}
