import { findEvent, listDeliveries } from '../../../db/queries/events/event.js';
import { findEndpoint } from '../../../db/queries/events/webhook-endpoint.js';
import { ApiError } from '../../../domain/errors.js';
import { presentEvent } from '../../../domain/events/event-presenter.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { eventOf, noSuchEvent } from './read.js';

/** Longer than an attempt may take. */
const RESPOND_WITHIN_MS = 24_000;

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * `POST /v1/events/{id}/redeliver`. Errors: 404 `event_not_found`, or `not_found` if the
 * workspace has no endpoint.
 */
export function redeliver(deps: Deps): Handler {
  return async (ctx) => {
    const { id, workspace_id } = await eventOf(ctx, deps);
    if (!(await findEndpoint(deps.db.manager, workspace_id)))
      throw new ApiError(
        'not_found',
        'This workspace has no webhook endpoint. Register one with PUT /v1/webhook-endpoint.',
      );
    ctx.body = await redeliverEvent(deps, workspace_id, id);
  };
}

/**
 * Makes one attempt to deliver an event and returns the event with all of its deliveries
 * (docs/rules/events.md#redelivery). Concurrent requests share an attempt. Errors: 404
 * `event_not_found` if a restored database has lost it meanwhile; 503 `service_unavailable`.
 */
export async function redeliverEvent(
  { db, temporal, taskQueue }: Deps,
  workspaceId: string,
  eventId: string,
): Promise<ReturnType<typeof presentEvent>> {
  await temporal.withDeadline(Date.now() + RESPOND_WITHIN_MS, () =>
    temporal.workflow.execute(WORKFLOWS.redelivery, starts(taskQueue).redelivery(eventId, workspaceId)),
  );
  const event = await findEvent(db.manager, workspaceId, eventId);
  if (!event) throw noSuchEvent();
  return presentEvent(event.body, await listDeliveries(db.manager, workspaceId, eventId));
}

/** How many of several redeliveries run concurrently: runs occupy the worker, which all workspaces share. */
const AT_ONCE = 5;

/** Delivers several events again, in order, until `withinMs` are over. Returns how many. Errors: 503. */
export async function redeliverEvents(
  deps: Deps,
  workspaceId: string,
  eventIds: string[],
  withinMs: number,
): Promise<number> {
  const deadline = Date.now() + withinMs;
  const queue = [...eventIds];
  const deliver = async (): Promise<void> => {
    while (queue.length > 0 && Date.now() < deadline) await redeliverEvent(deps, workspaceId, queue.shift()!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, deliver));
  return eventIds.length - queue.length;
}
