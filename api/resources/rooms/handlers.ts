import { linkParts } from '../../../commands/rooms/parts.js';
import { insertRoom, lockRooms, updateRoom } from '../../../commands/rooms/rooms.js';
import { audit, auditEdit } from '../../../commands/audit-log/audit.js';
import { takePlace } from '../../../commands/workspaces/quotas.js';
import { assertTaxCode } from '../../../commands/workspaces/workspaces.js';
import { newUuid, isUuid } from '../../../db/ids.js';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Room } from '../../../db/entities/rooms.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { presentRoom, presentRoomFor } from '../../../domain/rooms/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { storedZone } from '../shared/stored-zone.js';
import { DEFAULTS, type CreateBody, type UpdateBody } from './shape.js';

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
    ctx.body = presentRoomFor(ctx.state.principal, await roomOf(ctx, deps));
  };
}

/** `GET /v1/rooms`, by creation time. */
export const list = listOf({
  find: listRooms,
  by: 'created_at',
  isId: isUuid,
  present: (room: Room, principal) => presentRoomFor(principal, room),
});

/** Errors: 422 `validation_failed` if the longest booking is shorter than the shortest one. */
function assertLengths({ min_minutes, max_minutes }: Pick<Room, 'min_minutes' | 'max_minutes'>): void {
  if (min_minutes === null || max_minutes === null || max_minutes >= min_minutes) return;
  throw invalidField('max_minutes', 'must not be less than {min_minutes}');
}

/**
 * Errors: 422 `validation_failed` if the currency changes while the room has rates, whose amounts are in it
 * (docs/rules/rooms.md#prices).
 */
function assertCurrency({ currency, rates }: Room, changes: Partial<Room>): void {
  if ((changes.currency ?? currency) === currency || rates.length === 0) return;
  const message =
    `The room has rates with amounts in ${currency}. Remove them first, then change the ` +
    'currency and add them again.';
  throw new ApiError('validation_failed', message, { param: 'price_per_hour.currency' });
}

/** The columns of a room's fields. */
export function columnsOf({ price_per_hour, ...rest }: UpdateBody): Partial<Room> {
  if (!price_per_hour) return rest;
  const { currency, amount_minor } = price_per_hour;
  return { ...rest, currency, price_per_hour_minor: amount_minor };
}

/** `POST /v1/rooms` (docs/rules/rooms.md#rooms). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function create(deps: Pick<ApiDependencies, 'db' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const body = ctx.state.body;
    const { time_zone } = (await findWorkspace(deps.db.manager, workspace_id))!;
    const id = newUuid();
    const room = { time_zone, ...DEFAULTS, ...columnsOf(body), id, workspace_id } as Room;
    assertLengths(room);
    room.time_zone = await storedZone(deps.db.manager, room.time_zone);
    await createOnce(ctx, deps.db, id, {
      async create(tx) {
        await assertTaxCode(tx, workspace_id, room.tax_code);
        await takePlace(tx, deps.quotas, workspace_id, 'rooms');
        const { parts } = room;
        let made = await insertRoom(tx, { ...room, parts: [] });
        if (parts.length > 0) {
          await linkParts(tx, { workspace_id, room_id: id, parts });
          made = await updateRoom(tx, id, { parts });
        }
        const after = presentRoom(made);
        await audit(tx, ctx.state.principal, { action: 'room.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentRoom((await findRoom(tx, workspace_id, id))!),
    });
  };
}

/** `PATCH /v1/rooms/{id}` (docs/rules/rooms.md#rooms). Errors: 404; 409 `parts_conflict`; 422. */
export function update(deps: Deps): Handler<UpdateBody> {
  return async (ctx) => {
    const { id, workspace_id } = await roomOf(ctx, deps);
    const changes = columnsOf(ctx.state.body);
    if (changes.time_zone) changes.time_zone = await storedZone(deps.db.manager, changes.time_zone);
    ctx.body = await transaction(deps.db, async (tx) => {
      if (changes.tax_code) await assertTaxCode(tx, workspace_id, changes.tax_code);
      if (changes.parts) await linkParts(tx, { workspace_id, room_id: id, parts: changes.parts });
      const room = (await lockRooms(tx, workspace_id, [id])).get(id)!;
      assertLengths({ ...room, ...changes });
      assertCurrency(room, changes);
      const before = presentRoom(room);
      const after = presentRoom(await updateRoom(tx, id, changes));
      await auditEdit(tx, ctx.state.principal, { action: 'room.updated', object: id, before, after });
      return after;
    });
  };
}
