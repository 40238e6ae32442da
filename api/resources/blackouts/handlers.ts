import { deleteBlackout, insertBlackout } from '../../../commands/blackouts/blackouts.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { newId } from '../../../db/ids.js';
import { findBlackout, findBookingsDuring, listBlackouts } from '../../../db/queries/blackouts/blackout.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import { presentBlackout } from '../../../domain/blackouts/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { roomOf } from '../rooms/handlers.js';
import { isBlackoutId, type CreateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** `GET /v1/rooms/{id}/blackouts`, by start; the reasons are for staff. Errors: 404 `room_not_found`. */
export const list = listOf({
  find: listBlackouts,
  of: async (ctx: ApiContext, deps: Deps) => ({ room_id: (await roomOf(ctx, deps)).id }),
  by: 'start_at',
  isId: isBlackoutId,
  present: (row, { role }) => presentBlackout(can(role, 'write_blackouts') ? row : { ...row, reason: null }),
});

/**
 * `POST /v1/rooms/{id}/blackouts` (docs/rules/rooms.md#blackouts). Errors: 404 `room_not_found`; 409
 * `slot_unavailable` if it overlaps live bookings and `force` is not set, `limit_reached`; 422.
 */
export function create(deps: Pick<ApiDependencies, 'db' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { id: room_id, workspace_id } = await roomOf(ctx, deps);
    const { start_at, end_at, reason, force } = ctx.state.body;
    if (end_at <= start_at) throw invalidField('end_at', 'must be after {start_at}');
    const id = newId('bo');
    await createOnce(ctx, deps.db, id, {
      async create(tx) {
        const { blackout, bookings: booking_ids } = await insertBlackout(tx, deps.quotas, {
          id,
          workspace_id,
          room_id,
          start_at,
          end_at,
          reason: reason || null,
          force,
        });
        if (!blackout) {
          const message =
            'The blackout overlaps pending or confirmed bookings. To create it anyway and keep the ' +
            'bookings, set force to true.';
          throw new ApiError('slot_unavailable', message, { details: { reason: 'booked', booking_ids } });
        }
        const details = { room_id, after: presentBlackout(blackout), booking_ids };
        await audit(tx, ctx.state.principal, { action: 'blackout.created', object: id, details });
      },
      async find(tx, id) {
        const blackout = await findBlackout(tx, room_id, id);
        return (
          blackout && {
            ...presentBlackout(blackout),
            booking_ids: await findBookingsDuring(tx, room_id, blackout),
          }
        );
      },
    });
  };
}

/** `DELETE /v1/rooms/{id}/blackouts/{blackout_id}`. Errors: 404 `room_not_found`, `not_found`. */
export function remove(deps: Deps): Handler {
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
