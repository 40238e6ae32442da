import { lockRooms, updateRoom } from '../../../commands/rooms/rooms.js';
import { auditEdit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { presentRoom } from '../../../domain/presenters/room.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { roomOf } from './read.js';
import { assertLengths, assertTaxCode, columnsOf } from './rules.js';
import type { RoomBody } from './schema.js';

/** `PATCH /v1/rooms/{id}` (docs/rules/rooms.md#rooms). Errors: 404, 422. */
export function update(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { id, workspace_id } = await roomOf(ctx, deps);
    const changes = columnsOf(ctx.state.body as RoomBody);
    ctx.body = await transaction(deps.db, async (tx) => {
      if (changes.tax_code) await assertTaxCode(tx, workspace_id, changes.tax_code);
      const room = (await lockRooms(tx, workspace_id, [id])).get(id)!;
      assertLengths({ ...room, ...changes });
      const before = presentRoom(room);
      const after = presentRoom(await updateRoom(tx, id, changes));
      await auditEdit(tx, ctx.state.principal, { action: 'room.updated', object: id, before, after });
      return after;
    });
  };
}
