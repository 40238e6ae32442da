import { FAILING_SECONDS_UNTIL_DISABLED, type DisabledReason } from '../../domain/events/webhook-schedule.js';
import { canMove, ENDPOINT_TRANSITIONS } from '../../domain/states.js';
import { execute } from '../../db/query.js';
import { WebhookEndpoint, WebhookRetry } from '../../db/entities/events.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';

/** The result of an attempt, as far as it concerns the receiver's health. */
export interface AttemptOutcome {
  /** ISO 8601. */
  at: string;
  status_code: number | null;
  succeeded: boolean;
  /** Requested outside the queue, so a failure does not start an outage. */
  by_request: boolean;
}

/**
 * Updates a receiver's health from attempts and the time. A 410 disables the endpoint, as do five days in
 * which all attempts fail (docs/rules/events.md#disabling). The caller has locked the workspace's events and
 * then read the endpoint. Returns the endpoint; null if it is deleted or disabled.
 */
export async function updateReceiverHealth(
  tx: Tx,
  endpoint: WebhookEndpoint | null,
  attempts: AttemptOutcome[],
  scale: number,
): Promise<WebhookEndpoint | null> {
  if (!endpoint || !canMove(ENDPOINT_TRANSITIONS.disable, endpoint.status)) return null;
  const failing_since = computeFailingSince(endpoint, attempts);
  if (failing_since?.getTime() !== endpoint.failing_since?.getTime())
    await tx.update(WebhookEndpoint, { workspace_id: endpoint.workspace_id }, { failing_since });
  const reason = reasonToDisable(failing_since, attempts, scale);
  if (!reason) return endpoint;
  await disableEndpoint(tx, endpoint, reason);
  return null;
}

function computeFailingSince({ failing_since }: WebhookEndpoint, attempts: AttemptOutcome[]): Date | null {
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
  const limit = FAILING_SECONDS_UNTIL_DISABLED * 1000 * scale;
  return failingSince && Date.now() - failingSince.getTime() >= limit ? 'receiver_failing' : null;
}

/** Disables an endpoint and enqueues mail to the owner. */
async function disableEndpoint(tx: Tx, endpoint: WebhookEndpoint, reason: DisabledReason): Promise<void> {
  const { workspace_id, id, revision } = endpoint;
  await execute(
    tx,
    `UPDATE webhook_endpoints
      SET status = 'disabled', disabled_reason = $2, revision = revision + 1, notify_at = now()
     WHERE workspace_id = $1`,
    [workspace_id, reason],
  );
  await tx.delete(WebhookRetry, { workspace_id });
  await enqueueMail(tx, { workspace_id, kind: 'webhook_endpoint_disabled', about: `${id}/${revision}` });
  const entry = { action: 'webhook_endpoint.disabled', object: id, details: { reason } };
  await audit(tx, { workspace_id, system: 'webhooks' }, entry);
}
