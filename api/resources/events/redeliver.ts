import { findEvent, listDeliveries } from '../../../db/queries/events/event.js';
import type { EventOfObject } from '../../../db/queries/events/sent-event.js';
import { bindAlone, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { presentEvent } from '../../../domain/events/event-presenter.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';

/** Longer than an attempt may take. */
const RESPOND_WITHIN_MS = 24_000;

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/** The error for an event that the workspace does not have. */
export const noSuchEvent = (): ApiError => new ApiError('event_not_found', 'No such event.');

/**
 * Makes one attempt to deliver an event and returns the event with all of its deliveries
 * (docs/rules/events.md#redelivery). Concurrent requests share an attempt. Errors: 404
 * `event_not_found` if a restored database has lost it meanwhile; 503 `service_unavailable`.
 */
export async function redeliver(
  { db, temporal, taskQueue }: Deps,
  workspaceId: string,
  eventId: string,
): Promise<ReturnType<typeof presentEvent>> {
  await temporal.withDeadline(Date.now() + RESPOND_WITHIN_MS, () =>
    temporal.workflow.execute(WORKFLOWS.redelivery, starts(taskQueue).redelivery(eventId, workspaceId)),
  );
  return shownEvent(db.manager, workspaceId, eventId);
}

/** An event with all of its deliveries. Errors: 404 `event_not_found`. */
async function shownEvent(tx: Tx, workspaceId: string, eventId: string) {
  const event = await findEvent(tx, workspaceId, eventId);
  if (!event) throw noSuchEvent();
  return presentEvent(event.body, await listDeliveries(tx, workspaceId, eventId));
}

/**
 * `redeliver`, once for each key: a repeat makes an attempt only if the first request has not. Errors: 409
 * `idempotency_conflict`.
 */
export async function redeliverOnce(
  deps: Deps,
  workspaceId: string,
  eventId: string,
  idempotency: IdempotencyKey | null,
): Promise<ReturnType<typeof presentEvent>> {
  const { length } = await listDeliveries(deps.db.manager, workspaceId, eventId);
  const before = await bindAlone(deps.db, workspaceId, idempotency, String(length));
  return redeliverAfter(deps, workspaceId, eventId, Number(before ?? length));
}

/** Delivers an event again, unless it has had more than this number of attempts. */
export async function redeliverAfter(deps: Deps, workspaceId: string, eventId: string, attempts: number) {
  const deliveries = await listDeliveries(deps.db.manager, workspaceId, eventId);
  return deliveries.length > attempts
    ? shownEvent(deps.db.manager, workspaceId, eventId)
    : redeliver(deps, workspaceId, eventId);
}

/** How many of several redeliveries run concurrently: runs occupy the worker, which all workspaces share. */
const AT_ONCE = 5;

/**
 * Delivers several events again, in order and one at a time for each object, until `withinMs` are over.
 * Returns how many. Errors: 503.
 */
export async function redeliverAll(
  deps: Deps,
  workspaceId: string,
  events: EventOfObject[],
  withinMs: number,
): Promise<number> {
  const deadline = Date.now() + withinMs;
  const queue = [...events];
  const busy = new Set<string>();
  async function deliver(): Promise<void> {
    while (Date.now() < deadline) {
      const next = queue.findIndex(({ object_id }) => !busy.has(object_id));
      if (next === -1) return;
      const [{ id, object_id }] = queue.splice(next, 1) as [EventOfObject];
      busy.add(object_id);
      await redeliver(deps, workspaceId, id);
      busy.delete(object_id);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, deliver));
  return events.length - queue.length;
}
