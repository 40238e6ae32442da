import { ALL_EVENTS, EVENT_TYPES } from '../../../domain/events.js';
import { FAILING_SECONDS_UNTIL_DISABLED, type DisabledReason } from '../../../domain/webhook-schedule.js';
import type { WebhookEndpoint } from '../../rows.js';
import { repository } from '../../tables.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { enqueueMail } from '../mail/mails.js';

/** SQL that is true for an event type that the endpoint `w` subscribes to. */
export const SUBSCRIBED = (type: string): string =>
  `(${type} = ANY (w.event_types) OR ('${ALL_EVENTS}' = ANY (w.event_types) AND ${type} = ANY ('{${EVENT_TYPES}}')))`;

/** What an endpoint's encrypted secrets are bound to; see db/encryption.ts. */
export const secretContext = (workspaceId: string): string => `webhook-secret:${workspaceId}`;

/** A workspace's endpoint, enabled or not. */
export function findEndpoint(tx: Tx, workspaceId: string): Promise<WebhookEndpoint | null> {
  return repository(tx, 'webhook_endpoints').findOneBy({ workspace_id: workspaceId });
}

/**
 * Stores a workspace's first endpoint, which gets the events behind the position `after`. The caller holds the lock
 * on the workspace's events.
 */
export async function insertEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; secret: Buffer; after: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO webhook_endpoints (workspace_id, id, url, event_types, secret, sent_up_to)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [endpoint.workspace_id, newId('wh'), endpoint.url, endpoint.event_types, endpoint.secret, endpoint.after],
  );
}

/**
 * Points an endpoint elsewhere and enables it; one that was disabled gets the events behind the position `after`,
 * not what it missed. What is no longer subscribed to is not retried; the rest is at once. The caller holds the
 * lock on the workspace's events.
 */
export async function updateEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; after: number },
): Promise<void> {
  const { workspace_id, url, event_types, after } = endpoint;
  await tx.query(
    `UPDATE webhook_endpoints SET url = $2, event_types = $3, status = 'enabled', disabled_reason = NULL,
            sent_up_to = CASE status WHEN 'disabled' THEN $4 ELSE sent_up_to END,
            failing_since = NULL, revision = revision + 1, notify_at = now()
     WHERE workspace_id = $1`,
    [workspace_id, url, event_types, after],
  );
  await tx.query(
    `DELETE FROM webhook_retries r USING events e, webhook_endpoints w
     WHERE r.workspace_id = $1 AND w.workspace_id = $1 AND e.id = r.event_id AND NOT ${SUBSCRIBED('e.type')}`,
    [workspace_id],
  );
  await tx.query(`UPDATE webhook_retries SET next_attempt_at = now() WHERE workspace_id = $1`, [
    workspace_id,
  ]);
}

/** Removes an endpoint and what it was still to be sent. The caller holds the lock on the workspace's events. */
export async function deleteEndpoint(tx: Tx, workspaceId: string): Promise<void> {
  await repository(tx, 'webhook_endpoints').delete({ workspace_id: workspaceId });
}

/** Gives an endpoint a new secret; the old one signs too until the overlap ends. The oldest ends at once. */
export async function rotateSecret(
  tx: Tx,
  workspaceId: string,
  secret: Buffer,
  overlapSeconds: number,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoints SET previous_secret = secret, secret = $2, revision = revision + 1,
            previous_secret_until = now() + make_interval(secs => $3)
     WHERE workspace_id = $1`,
    [workspaceId, secret, overlapSeconds],
  );
}

/** Has the delivery run look at the queue anew: something changed that it could not know. */
export async function wakeEndpoint(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(`UPDATE webhook_endpoints SET notify_at = now() WHERE workspace_id = $1`, [workspaceId]);
}

/** What one attempt says of its receiver. */
export interface AttemptOutcome {
  /** ISO 8601. */
  at: string;
  status_code: number | null;
  succeeded: boolean;
  /** Made by request, past the queue: a failure is not the beginning of an outage. */
  by_request: boolean;
}

/**
 * What attempts, and the clock, say of the receiver as a whole: 410 disables it, and so do five days of only failures
 * (decisions.md, "Events"). The caller holds the lock on the workspace's events. Returns the endpoint's revision, null
 * if it is gone or disabled.
 */
export async function judgeReceiver(
  tx: Tx,
  workspaceId: string,
  attempts: AttemptOutcome[],
  scale: number,
): Promise<number | null> {
  const endpoint = await findEndpoint(tx, workspaceId);
  if (!endpoint || endpoint.status === 'disabled') return null;
  const failingSince = failingSinceOf(endpoint, attempts);
  if (failingSince?.getTime() !== endpoint.failing_since?.getTime())
    await tx.query(`UPDATE webhook_endpoints SET failing_since = $2 WHERE workspace_id = $1`, [
      workspaceId,
      failingSince,
    ]);
  const reason = reasonToDisable(failingSince, attempts, scale);
  if (!reason) return endpoint.revision;
  await disableEndpoint(tx, endpoint, reason);
  return null;
}

function failingSinceOf({ failing_since }: WebhookEndpoint, attempts: AttemptOutcome[]): Date | null {
  if (attempts.some(({ succeeded }) => succeeded)) return null;
  const first = attempts.find(({ by_request }) => !by_request);
  return failing_since ?? (first ? new Date(first.at) : null);
}

function reasonToDisable(
  failingSince: Date | null,
  attempts: AttemptOutcome[],
  scale: number,
): DisabledReason | null {
  if (attempts.some(({ status_code }) => status_code === 410)) return 'receiver_gone';
  const longest = FAILING_SECONDS_UNTIL_DISABLED * 1000 * scale;
  return failingSince && Date.now() - failingSince.getTime() >= longest ? 'receiver_failing' : null;
}

/** Stops deliveries. The owner gets mail each time. */
async function disableEndpoint(tx: Tx, endpoint: WebhookEndpoint, reason: DisabledReason): Promise<void> {
  const { workspace_id, id, revision } = endpoint;
  await tx.query(
    `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $2, revision = revision + 1, notify_at = now()
     WHERE workspace_id = $1`,
    [workspace_id, reason],
  );
  await tx.query(`DELETE FROM webhook_retries WHERE workspace_id = $1`, [workspace_id]);
  await enqueueMail(tx, { workspace_id, kind: 'webhook_endpoint_disabled', about: `${id}/${revision}` });
  const entry = { action: 'webhook_endpoint.disabled', object: id, details: { reason } };
  await audit(tx, { workspace_id, system: 'webhooks' }, entry);
}
