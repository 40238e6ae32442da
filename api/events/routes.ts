import Router from '@koa/router';
import joi from 'joi';
import { isId } from '../../db/ids.js';
import {
  findEvent,
  hasNewEvents,
  listDeliveries,
  listEvents,
} from '../../db/repositories/events/event-queries.js';
import { assignPositions, lockEvents } from '../../db/repositories/events/positions.js';
import { findEndpoint } from '../../db/repositories/events/webhook-endpoint-queries.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { EVENT_TYPES, OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE, type EventType } from '../../domain/events.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { cursorParam, unknownCursor } from '../http/cursor.js';
import { pageLimit, timestamp, validQuery } from '../http/validate.js';
import { presentEvent } from './presenter.js';
import { redeliver } from './redeliver.js';

const listSchema = joi.object({
  type: joi.string().valid(...EVENT_TYPES, ...OPT_IN_EVENT_TYPES, TEST_EVENT_TYPE),
  from: timestamp,
  to: timestamp,
  limit: pageLimit,
  cursor: cursorParam,
});

const encodePosition = (position: number): string =>
  Buffer.from(`position ${position}`).toString('base64url');

/** Events as they were stored, what became of their delivery, and redelivery (decisions.md, "Events"). */
export function eventRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  async function eventOf(ctx: ApiContext) {
    const { id } = ctx.params;
    const { workspace_id } = ctx.state.principal;
    const event = isId('evt', id!) ? await findEvent(db.manager, workspace_id, id!) : null;
    if (!event) throw new ApiError('event_not_found', 'There is no such event.');
    return event.body;
  }

  /** The position a cursor stands for: a list's own, or the id of an event, to go on behind it. */
  async function readCursor(workspaceId: string, cursor: string): Promise<number> {
    const [, position] = /^position (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    if (position !== undefined) return Number(position);
    const event = isId('evt', cursor) ? await findEvent(db.manager, workspaceId, cursor) : null;
    if (event?.position == null) throw unknownCursor();
    return event.position;
  }

  /** Pages by position, those of this moment included: what has just been committed is placed first. */
  const list: Handler = async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const { cursor, limit, ...filter } = ctx.state.query as {
      type?: EventType;
      from?: Date;
      to?: Date;
      limit: number;
      cursor?: string;
    };
    while (await hasNewEvents(db.manager, workspace_id)) {
      await transaction(db, async (tx) => {
        await lockEvents(tx, workspace_id);
        await assignPositions(tx, workspace_id);
      });
    }
    const after = cursor === undefined ? 0 : await readCursor(workspace_id, cursor);
    const rows = await listEvents(db.manager, { ...filter, workspace_id, after, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    ctx.body = {
      data: shown.map(({ body }) => presentEvent(body)),
      next_cursor: rows.length > limit ? encodePosition(shown.at(-1)!.position) : null,
    };
  };

  const get: Handler = async (ctx) => {
    const event = await eventOf(ctx);
    ctx.body = presentEvent(event, await listDeliveries(db.manager, event.workspace_id, event.id));
  };

  const sendAgain: Handler = async (ctx) => {
    const { id, workspace_id } = await eventOf(ctx);
    if (!(await findEndpoint(db.manager, workspace_id)))
      throw new ApiError('not_found', 'The workspace has no webhook endpoint.');
    ctx.body = await redeliver(deps, workspace_id, id);
  };

  const mayRead = may('webhooks:read', 'manage_webhooks');
  const mayWrite = may('webhooks:write', 'manage_webhooks');
  router.get('/v1/events', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.get('/v1/events/:id', ...route(signedIn, mayRead, get));
  router.post('/v1/events/:id/redeliver', ...route(signedIn, mayWrite, sendAgain));
  return router;
}
