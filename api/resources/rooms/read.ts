import type { Room } from '../../../db/rows.js';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { ApiError } from '../../../domain/errors.js';
import { presentRoom } from '../../../domain/presenters/room.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { isUuid } from '../../http/fields.js';
import type { ListQuery } from './schema.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** The room in the path. Errors: 404 `room_not_found`. */
export async function roomOf(ctx: ApiContext, { db }: Deps): Promise<Room> {
  const { id } = ctx.params;
  const room = isUuid(id!) ? await findRoom(db.manager, ctx.state.principal.workspace_id, id!) : null;
  if (!room) throw new ApiError('room_not_found', 'No such room.');
  return room;
}

/** `GET /v1/rooms/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentRoom(await roomOf(ctx, deps));
  };
}

/** `GET /v1/rooms`, by creation time. */
export function list({ db }: Deps): Handler {
  return async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query as ListQuery;
    const after = decodeCursor(cursor, isUuid);
    const rows = await listRooms(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (room) => room.created_at, presentRoom);
  };
}
