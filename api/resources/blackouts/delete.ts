import { deleteBlackout } from '../../../commands/rooms/blackouts.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { presentBlackout } from '../../../domain/presenters/blackout.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { roomOf } from '../rooms/read.js';
import { isBlackoutId } from './schema.js';

/** `DELETE /v1/rooms/{id}/blackouts/{blackout_id}`. Errors: 404 `room_not_found`, `not_found`. */
export function remove(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const room = await roomOf(ctx, deps);
    const { blackout_id: id } = ctx.params;
    await transaction(deps.db, async (tx) => {
      const blackout = isBlackoutId(id!) ? await deleteBlackout(tx, room.id, id!) : null;
      if (!blackout) throw new ApiError('not_found', 'No such blackout.');
      const details = { room_id: room.id, before: presentBlackout(blackout) };
      await audit(tx, ctx.state.principal, { action: 'blackout.deleted', object: blackout.id, details });
    });
    ctx.status = 204;
  };
}
