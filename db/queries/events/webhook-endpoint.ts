import { many, maybeOne } from '../../query.js';
import { WebhookEndpoint } from '../../entities/events.js';
import type { Tx } from '../../transaction.js';

/** The encryption context of an endpoint's secrets; see db/encryption.ts. */
export const secretContext = (workspaceId: string): string => `webhook-secret:${workspaceId}`;

const FIND_ENDPOINT = {
  name: 'find_endpoint',
  text: `SELECT w.* FROM webhook_endpoints w WHERE w.workspace_id = $1`,
};

/** Returns a workspace's endpoint, enabled or not. */
export const findEndpoint = (tx: Tx, workspaceId: string): Promise<WebhookEndpoint | null> =>
  maybeOne<WebhookEndpoint>(tx, FIND_ENDPOINT, [workspaceId]);

/** An endpoint whose delivery workflow must be notified. */
export interface EndpointToNotify {
  workspace_id: string;
  notify_at: Date;
}

/** Returns the endpoints whose delivery workflow must be notified now. */
export function findEndpointsToNotify(tx: Tx): Promise<EndpointToNotify[]> {
  return many<EndpointToNotify>(
    tx,
    `SELECT workspace_id, notify_at FROM webhook_endpoints WHERE notify_at <= now() ORDER BY notify_at
      LIMIT 500`,
  );
}
