import { findEvent, listDeliveries } from '../../db/repositories/events/event-queries.js';
import { WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { presentEvent } from './presenter.js';

/** Longer than an attempt may take. */
const ANSWER_WITHIN_MS = 24_000;

/**
 * Makes one attempt to deliver an event of a workspace now, and gives the event with all its deliveries. Requests
 * that come while one is under way share it. Errors: 503 `service_unavailable`.
 */
export async function redeliver(
  { db, temporal, taskQueue }: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>,
  workspaceId: string,
  eventId: string,
): Promise<unknown> {
  await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    temporal.workflow.execute(WORKFLOWS.redelivery, starts(taskQueue).redelivery(eventId, workspaceId)),
  );
  const event = (await findEvent(db.manager, workspaceId, eventId))!;
  return presentEvent(event.body, await listDeliveries(db.manager, workspaceId, eventId));
}
