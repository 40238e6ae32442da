import { ENDPOINT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { WebhookEndpoint, WebhookRetry } from '../../db/entities/events.js';
import type { Tx } from '../../db/transaction.js';
import { SUBSCRIBED, type EndpointToNotify } from '../../db/queries/events/webhook-endpoint.js';

/** A workflow that has not processed the queue for this long after a notification is notified again: it may be lost. */
const NOTIFY_AGAIN_SECONDS = 60;

/**
 * Stores a workspace's first endpoint, which gets the events after position `after`. The caller has locked the
 * workspace's events.
 */
export async function insertEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; secret: Buffer; after: number },
): Promise<void> {
  const { after: sent_up_to, ...columns } = endpoint;
  await tx.insert(WebhookEndpoint, { ...columns, id: newId('wh'), sent_up_to });
}

/**
 * Changes an endpoint and enables it. One that was disabled gets the events after position `after`, not those it
 * missed. Retries of events that it no longer subscribes to are deleted; the others are due immediately. The caller has
 * locked the workspace's events.
 */
export async function updateEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; after: number },
): Promise<void> {
  const { workspace_id, url, event_types, after } = endpoint;
  await execute(
    tx,
    `UPDATE webhook_endpoints SET url = $2, event_types = $3, status = '${ENDPOINT_TRANSITIONS.enable.to}', disabled_reason = NULL,
            sent_up_to = CASE status WHEN 'disabled' THEN $4 ELSE sent_up_to END,
            failing_since = NULL, revision = revision + 1, notify_at = now()
     WHERE workspace_id = $1`,
    [workspace_id, url, event_types, after],
  );
  await execute(
    tx,
    `DELETE FROM webhook_retries r USING events e, webhook_endpoints w
     WHERE r.workspace_id = $1 AND w.workspace_id = $1 AND e.id = r.event_id AND NOT ${SUBSCRIBED('e.type')}`,
    [workspace_id],
  );
  await tx.update(WebhookRetry, { workspace_id }, { next_attempt_at: NOW });
}

/** Deletes an endpoint with its queue. The caller has locked the workspace's events. */
export async function deleteEndpoint(tx: Tx, workspaceId: string): Promise<void> {
  await tx.delete(WebhookEndpoint, { workspace_id: workspaceId });
}

/** Gives an endpoint a new secret. The current one also signs until the overlap ends; an older one no longer does. */
export async function rotateEndpointSecret(
  tx: Tx,
  workspaceId: string,
  secret: Buffer,
  overlapSeconds: number,
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_endpoints SET previous_secret = secret, secret = $2, revision = revision + 1,
            previous_secret_until = now() + make_interval(secs => $3)
     WHERE workspace_id = $1`,
    [workspaceId, secret, overlapSeconds],
  );
}

/** Has the delivery workflow notified of a change. */
export async function notifyEndpoint(tx: Tx, workspaceId: string): Promise<void> {
  await tx.update(WebhookEndpoint, { workspace_id: workspaceId }, { notify_at: NOW });
}

/** Records that the delivery workflow was notified, unless a newer notification is due. */
export async function markEndpointNotified(tx: Tx, endpoint: EndpointToNotify): Promise<void> {
  const { workspace_id, notify_at } = endpoint;
  const changes = { notify_at: fromNow(NOTIFY_AGAIN_SECONDS) };
  await tx.update(WebhookEndpoint, { workspace_id, notify_at }, changes);
}
