import { assignPositions, lockEvents } from '../../../commands/events/positions.js';
import { hasNewEvents, findEvent, listDeliveries, listEvents } from '../../../db/queries/events/event.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { presentEvent } from '../../../domain/events/event-presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { invalidCursor } from '../../http/cursor.js';
import { isEventId, type ListQuery } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

export const noSuchEvent = (): ApiError => new ApiError('event_not_found', 'No such event.');

/** The body of the event in the path. Errors: 404 `event_not_found`. */
export async function eventOf({ state: { principal }, params: { id } }: ApiContext, { db }: Deps) {
  const event = isEventId(id!) ? await findEvent(db.manager, principal.workspace_id, id!) : null;
  if (!event) throw noSuchEvent();
  return event.body;
}

const encodePosition = (position: number): string =>
  Buffer.from(`position ${position}`).toString('base64url');

/** The position of a cursor of this list, or of the event whose id is the cursor. Errors: 422 on `cursor`. */
async function positionOf({ db }: Deps, workspaceId: string, cursor: string): Promise<number> {
  const [, position] = /^position (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (position !== undefined) return Number(position);
  const event = isEventId(cursor) ? await findEvent(db.manager, workspaceId, cursor) : null;
  if (event?.position == null) throw invalidCursor();
  return event.position;
}

/** `GET /v1/events/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    const event = await eventOf(ctx, deps);
    ctx.body = presentEvent(event, await listDeliveries(deps.db.manager, event.workspace_id, event.id));
  };
}

/**
 * `GET /v1/events`, by position (docs/rules/events.md#order-and-positions). Committed events get their
 * positions first, so that the list includes them.
 */
export function list(deps: Deps): Handler<unknown, ListQuery> {
  const { db } = deps;
  return async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const { cursor, limit, ...filter } = ctx.state.query;
    while (await hasNewEvents(db.manager, workspace_id)) {
      await transaction(db, async (tx) => {
        await lockEvents(tx, workspace_id);
        await assignPositions(tx, workspace_id);
      });
    }
    const after = cursor === undefined ? 0 : await positionOf(deps, workspace_id, cursor);
    const rows = await listEvents(db.manager, { ...filter, workspace_id, after, limit: limit + 1 });
    const onPage = rows.slice(0, limit);
    ctx.body = {
      data: onPage.map(({ body }) => presentEvent(body)),
      next_cursor: rows.length > limit ? encodePosition(onPage.at(-1)!.position) : null,
    };
  };
}
