import { listBlackouts } from '../../../db/queries/rooms/blackout.js';
import { presentBlackout } from '../../../domain/presenters/blackout.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { decodeCursor, page, type PageQuery } from '../../http/cursor.js';
import { roomOf } from '../rooms/read.js';
import { isBlackoutId } from './schema.js';

/** `GET /v1/rooms/{id}/blackouts`, by start. */
export function list(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const { cursor, limit } = ctx.state.query as PageQuery;
    const after = decodeCursor(cursor, isBlackoutId);
    const rows = await listBlackouts(deps.db.manager, {
      room_id: room.id,
      after: after && { start_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (blackout) => blackout.start_at, presentBlackout);
  };
}
