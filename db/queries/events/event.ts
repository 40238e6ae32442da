import type { EventBody, EventType } from '../../../domain/events/types.js';
import { column, exists, many, maybeOne } from '../../query.js';
import type { Event, WebhookDelivery } from '../../entities/events.js';
import type { Tx } from '../../transaction.js';

/**
 * Lists a workspace's events after position `after`, by position (docs/rules/events.md#order-and-positions).
 * A reader who pages through them misses nothing, since an event that commits later gets a later position.
 */
export function listEvents(
  tx: Tx,
  filter: { workspace_id: string; type?: EventType; from?: Date; to?: Date; after: number; limit: number },
): Promise<{ id: string; position: number; body: EventBody }[]> {
  return many<{ id: string; position: number; body: EventBody }>(
    tx,
    `SELECT id, position, body FROM events
     WHERE workspace_id = $1 AND position > $2 AND ($3::text IS NULL OR type = $3)
       AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
     ORDER BY position LIMIT $6`,
    [
      filter.workspace_id,
      filter.after,
      filter.type ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.limit,
    ],
  );
}

/** Returns an event of a workspace. Its position is null until it is assigned. */
export function findEvent(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<Pick<Event, 'body' | 'position'> | null> {
  return maybeOne<Pick<Event, 'body' | 'position'>>(
    tx,
    `SELECT body, position FROM events WHERE id = $1 AND workspace_id = $2`,
    [id, workspaceId],
  );
}

export type Delivery = Omit<WebhookDelivery, 'event_id' | 'workspace_id'>;

/** Lists the attempts to deliver an event, in order. */
export function listDeliveries(tx: Tx, workspaceId: string, eventId: string): Promise<Delivery[]> {
  return many<Delivery>(
    tx,
    `SELECT attempt, at, status_code, duration_ms, error, response_excerpt FROM webhook_deliveries
     WHERE event_id = $1 AND workspace_id = $2 ORDER BY attempt`,
    [eventId, workspaceId],
  );
}

/**
 * SQL for the workspaces with events that have no position. It does one index lookup per workspace, because
 * thousands of events may wait in one of them.
 */
const WORKSPACES_WITH_NEW_EVENTS = `WITH RECURSIVE found AS (
    (SELECT workspace_id FROM events WHERE position IS NULL ORDER BY workspace_id LIMIT 1)
    UNION ALL SELECT next.workspace_id FROM found, LATERAL (
      SELECT e.workspace_id FROM events e WHERE e.position IS NULL AND e.workspace_id > found.workspace_id
      ORDER BY e.workspace_id LIMIT 1) next
  ) SELECT workspace_id FROM found LIMIT 500`;

/** Returns the workspaces with events that have no position. */
export function findWorkspacesWithNewEvents(tx: Tx): Promise<string[]> {
  return column<string>(tx, WORKSPACES_WITH_NEW_EVENTS);
}

/** True if a workspace has an event without a position. */
export function hasNewEvents(tx: Tx, workspaceId: string): Promise<boolean> {
  return exists(tx, `SELECT FROM events WHERE workspace_id = $1 AND position IS NULL LIMIT 1`, [workspaceId]);
}
