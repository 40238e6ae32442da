import Router from '@koa/router';
import type { Room } from '../../db/rows.js';
import { isId, newId, newUuid } from '../../db/ids.js';
import {
  findBlackout,
  findBookingsDuring,
  listBlackouts,
} from '../../db/repositories/rooms/blackout-queries.js';
import { deleteBlackout, insertBlackout } from '../../db/repositories/rooms/blackouts.js';
import { findRoom, listRooms } from '../../db/repositories/rooms/room-queries.js';
import { insertRoom, lockRooms, updateRoom } from '../../db/repositories/rooms/rooms.js';
import { audit, auditEdit } from '../../db/repositories/workspaces/audit.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { TIERS } from '../../domain/price.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { createOnce } from '../http/idempotency.js';
import { decodeCursor, page } from '../http/cursor.js';
import { isUuid, validBody, validQuery } from '../http/validate.js';
import { presentBlackout, presentRoom } from './presenter.js';
import {
  createBlackoutSchema,
  createRoomSchema,
  listRoomsSchema,
  pageSchema,
  updateRoomSchema,
  type RoomBody,
} from './schema.js';

const NEW_ROOM = {
  description: null,
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  turnaround_minutes: 0,
  edit_window_minutes: 60,
  tax_code: 'STANDARD',
  tiers: null,
  tier_discounts: {},
  refund_steps: [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 0 },
  ],
  archived: false,
};

/** Rooms and their blackouts (decisions.md, "Rooms, companies, workspace"). */
export function roomRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  async function roomOf(ctx: ApiContext): Promise<Room> {
    const { id } = ctx.params;
    const room = isUuid(id!) ? await findRoom(db.manager, ctx.state.principal.workspace_id, id!) : null;
    if (!room) throw new ApiError('room_not_found', 'There is no such room.');
    return room;
  }

  async function assertTaxCode(workspaceId: string, code: string | undefined): Promise<void> {
    const workspace = await findWorkspace(db.manager, workspaceId);
    if (code === undefined || workspace!.tax_codes.some((tax) => tax.code === code)) return;
    throw new ApiError('validation_failed', 'The workspace has no such tax code.', { param: 'tax_code' });
  }

  function assertLengths(room: Pick<Room, 'min_minutes' | 'max_minutes'>): void {
    if (room.min_minutes !== null && room.max_minutes !== null && room.max_minutes < room.min_minutes) {
      throw new ApiError('validation_failed', 'max_minutes is less than min_minutes.', {
        param: 'max_minutes',
      });
    }
  }

  /** The price is one object outside and two columns inside. */
  function columns({ price_per_hour, ...rest }: Partial<RoomBody>): Partial<Room> {
    const price = price_per_hour && {
      currency: price_per_hour.currency,
      price_per_hour_minor: price_per_hour.amount_minor,
    };
    return { ...rest, ...price };
  }

  const list: Handler = async (ctx) => {
    const query = ctx.state.query as {
      tier?: (typeof TIERS)[number];
      include_archived: boolean;
      limit: number;
      cursor?: string;
    };
    const after = query.cursor ? decodeCursor(query.cursor, isUuid) : undefined;
    const rows = await listRooms(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      tier: query.tier,
      include_archived: query.include_archived,
      after: after && { created_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (room) => room.created_at, presentRoom);
  };

  const get: Handler = async (ctx) => {
    ctx.body = presentRoom(await roomOf(ctx));
  };

  const create: Handler = async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const body = ctx.state.body as RoomBody;
    await assertTaxCode(workspace_id, body.tax_code);
    const workspace = await findWorkspace(db.manager, workspace_id);
    const id = newUuid();
    const room = { time_zone: workspace!.time_zone, ...NEW_ROOM, ...columns(body), id, workspace_id } as Room;
    assertLengths(room);
    await createOnce(ctx, db, id, {
      async make(tx) {
        const after = presentRoom(await insertRoom(tx, room));
        await audit(tx, ctx.state.principal, { action: 'room.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentRoom((await findRoom(tx, workspace_id, id))!),
    });
  };

  const update: Handler = async (ctx) => {
    const { id, workspace_id } = await roomOf(ctx);
    const changes = columns(ctx.state.body as Partial<RoomBody>);
    await assertTaxCode(workspace_id, changes.tax_code);
    ctx.body = await transaction(db, async (tx) => {
      const room = (await lockRooms(tx, workspace_id, [id])).get(id)!;
      assertLengths({ ...room, ...changes });
      const before = presentRoom(room);
      const after = presentRoom(await updateRoom(tx, id, changes));
      await auditEdit(tx, ctx.state.principal, { action: 'room.updated', object: id, before, after });
      return after;
    });
  };

  const blackOut: Handler = async (ctx) => {
    const room = await roomOf(ctx);
    const body = ctx.state.body as { start_at: Date; end_at: Date; reason?: string; force: boolean };
    if (body.end_at <= body.start_at) {
      throw new ApiError('validation_failed', 'end_at must be after start_at.', { param: 'end_at' });
    }
    const id = newId('bo');
    await createOnce(ctx, db, id, {
      async make(tx) {
        const { blackout, bookings: booking_ids } = await insertBlackout(tx, {
          id,
          workspace_id: room.workspace_id,
          room_id: room.id,
          start_at: body.start_at,
          end_at: body.end_at,
          reason: body.reason || null,
          force: body.force,
        });
        if (!blackout) {
          const message = 'Live bookings stand in this time; force: true leaves them standing.';
          throw new ApiError('slot_unavailable', message, { details: { reason: 'booked', booking_ids } });
        }
        const details = { room_id: room.id, after: presentBlackout(blackout), booking_ids };
        await audit(tx, ctx.state.principal, { action: 'blackout.created', object: id, details });
      },
      async find(tx, id) {
        const blackout = await findBlackout(tx, room.id, id);
        return (
          blackout && {
            ...presentBlackout(blackout),
            booking_ids: await findBookingsDuring(tx, room.id, blackout),
          }
        );
      },
    });
  };

  const blackouts: Handler = async (ctx) => {
    const room = await roomOf(ctx);
    const query = ctx.state.query as { limit: number; cursor?: string };
    const after = query.cursor ? decodeCursor(query.cursor, (id) => isId('bo', id)) : undefined;
    const rows = await listBlackouts(db.manager, {
      room_id: room.id,
      after: after && { start_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (blackout) => blackout.start_at, presentBlackout);
  };

  const liftBlackout: Handler = async (ctx) => {
    const room = await roomOf(ctx);
    const { blackout_id: id } = ctx.params;
    await transaction(db, async (tx) => {
      const blackout = isId('bo', id!) ? await deleteBlackout(tx, room.id, id!) : null;
      if (!blackout) throw new ApiError('not_found', 'The room has no such blackout.');
      const details = { room_id: room.id, before: presentBlackout(blackout) };
      await audit(tx, ctx.state.principal, { action: 'blackout.deleted', object: blackout.id, details });
    });
    ctx.status = 204;
  };

  const mayRead = may('calendar:read', 'own_bookings');
  const mayWrite = may('calendar:write', 'write_rooms');
  router.get('/v1/rooms', ...route(signedIn, mayRead, validQuery(listRoomsSchema), list));
  router.post('/v1/rooms', ...route(signedIn, mayWrite, validBody(createRoomSchema), create));
  router.get('/v1/rooms/:id', ...route(signedIn, mayRead, get));
  router.patch('/v1/rooms/:id', ...route(signedIn, mayWrite, validBody(updateRoomSchema), update));
  router.get('/v1/rooms/:id/blackouts', ...route(signedIn, mayRead, validQuery(pageSchema), blackouts));
  router.post(
    '/v1/rooms/:id/blackouts',
    ...route(signedIn, mayWrite, validBody(createBlackoutSchema), blackOut),
  );
  router.delete('/v1/rooms/:id/blackouts/:blackout_id', ...route(signedIn, mayWrite, liftBlackout));
  return router;
}
