import { ALL_EVENTS, EVENT_TYPES } from '../../../domain/events/types.js';
import { selectAll } from '../../entities.js';
import { many, maybeOne } from '../../query.js';
import { WebhookEndpoint } from '../../entities/events.js';
import type { Tx } from '../../transaction.js';

/** SQL that is true for an event type that the endpoint `w` subscribes to. */
export const SUBSCRIBED = (type: string): string =>
  `(${type} = ANY (w.event_types)
    OR ('${ALL_EVENTS}' = ANY (w.event_types) AND ${type} = ANY ('{${EVENT_TYPES}}')))`;

/** The encryption context of an endpoint's secrets; see db/encryption.ts. */
export const secretContext = (workspaceId: string): string => `webhook-secret:${workspaceId}`;

const FIND_ENDPOINT = {
  name: 'find_endpoint',
  text: `SELECT ${selectAll(WebhookEndpoint, 'w')} FROM webhook_endpoints w WHERE w.workspace_id = $1`,
};

/** A workspace's endpoint, enabled or not. */
export const findEndpoint = (tx: Tx, workspaceId: string): Promise<WebhookEndpoint | null> =>
  maybeOne<WebhookEndpoint>(tx, FIND_ENDPOINT, [workspaceId]);

/** SQL of the endpoints whose delivery workflow must be notified. */
export const ENDPOINTS_TO_NOTIFY = `FROM webhook_endpoints WHERE notify_at <= now()`;

/** An endpoint whose delivery workflow must be notified. */
export interface EndpointToNotify {
  workspace_id: string;
  notify_at: Date;
}

/** Endpoints whose delivery workflow must be notified now. */
export function findEndpointsToNotify(tx: Tx): Promise<EndpointToNotify[]> {
  return many<EndpointToNotify>(
    tx,
    `SELECT workspace_id, notify_at ${ENDPOINTS_TO_NOTIFY} ORDER BY notify_at LIMIT 500`,
  );
}
