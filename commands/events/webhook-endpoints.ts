import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { HOUR_SECONDS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { TEST_EVENT_TYPE } from '../../domain/events/types.js';
import { presentWebhookEndpoint } from '../../domain/events/webhook-endpoint-presenter.js';
import type { Principal } from '../../domain/policies.js';
import type { Encryption } from '../../db/encryption.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { WebhookEndpoint, WebhookRetry } from '../../db/entities/events.js';
import { transaction, type Tx } from '../../db/transaction.js';
import {
  findEndpoint,
  secretContext,
  type EndpointToNotify,
} from '../../db/queries/events/webhook-endpoint.js';
import {
  bindKey,
  boundBefore,
  findBound,
  originalDeleted,
  type Created,
  type IdempotencyKey,
} from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { enqueueMail } from '../mail/mails.js';
import { insertEvent } from './events.js';
import { assignAllPositions, lockEvents } from './positions.js';

/**
 * If a workflow does not process the queue within this time after a notification, it may be lost and is
 * notified again.
 */
const NOTIFY_AGAIN_SECONDS = 60;

type Shown = ReturnType<typeof presentWebhookEndpoint>;

interface Deps {
  db: DataSource;
  encryption: Encryption;
}

/** Returns a workspace's endpoint. Errors: 404 `not_found`. */
export async function existingEndpoint(tx: Tx, workspaceId: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(tx, workspaceId);
  if (endpoint) return endpoint;
  throw new ApiError(
    'not_found',
    'This workspace has no webhook endpoint. Register one with PUT /v1/webhook-endpoint.',
  );
}

/** Returns a new signing secret (docs/rules/events.md#signatures) and its stored form. */
function newSecret({ encryption }: Deps, workspaceId: string): { secret: string; encrypted: Buffer } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, encrypted: encryption.encrypt(secret, secretContext(workspaceId)) };
}

/**
 * Registers the endpoint, or changes and enables it (docs/rules/events.md#endpoint). The caller has checked
 * the URL. `secret` is returned only when the endpoint is created.
 */
export function putEndpoint(
  deps: Deps,
  caller: Principal,
  { url, event_types }: Pick<WebhookEndpoint, 'url' | 'event_types'>,
): Promise<Created<Shown & { secret?: string }>> {
  const { workspace_id } = caller;
  const { secret, encrypted } = newSecret(deps, workspace_id);
  return transaction(deps.db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const before = await findEndpoint(tx, workspace_id);
    const isNew = before === null;
    const after = await assignAllPositions(tx, workspace_id);
    const wanted = { workspace_id, url, event_types, after };
    if (isNew) await insertEndpoint(tx, { ...wanted, secret: encrypted });
    else await updateEndpoint(tx, wanted);
    const endpoint = await existingEndpoint(tx, workspace_id);
    const action = isNew ? 'webhook_endpoint.created' : 'webhook_endpoint.updated';
    await audit(tx, caller, { action, object: endpoint.id, details: { url, event_types } });
    if (before?.url !== url)
      await enqueueMail(tx, { kind: 'webhook_url_changed', workspace_id, about: newId('mail') });
    return { isNew, object: { ...presentWebhookEndpoint(endpoint), ...(isNew && { secret }) } };
  });
}

/** Deletes the endpoint with its secret and pending deliveries. Errors: 404 `not_found`. */
export const deleteEndpoint = (db: DataSource, caller: Principal): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    await lockEvents(tx, workspace_id);
    const { id, url } = await existingEndpoint(tx, workspace_id);
    await tx.delete(WebhookEndpoint, { workspace_id });
    await audit(tx, caller, { action: 'webhook_endpoint.deleted', object: id, details: { url } });
  });

/**
 * Gives the endpoint a new secret. The previous one stays valid for the overlap
 * (docs/rules/events.md#signatures). A repeat does not rotate again and returns the current endpoint with a
 * null secret. Errors: 404 `not_found`; 409 `idempotency_conflict`.
 */
export function rotateSecret(
  deps: Deps & { webhookRetryScale: number },
  caller: Principal,
  overlapHours: number,
  idempotency: IdempotencyKey | null,
): Promise<Shown & { secret: string | null; previous_secret_expires_at: string }> {
  const { workspace_id } = caller;
  const { secret, encrypted } = newSecret(deps, workspace_id);
  const rotation = newId('rot');
  return transaction(deps.db, async (tx) => {
    const isFirst = (await bindKey(tx, workspace_id, idempotency, rotation)) === rotation;
    if (isFirst) {
      await lockEvents(tx, workspace_id);
      const { id } = await existingEndpoint(tx, workspace_id);
      await rotateEndpointSecret(
        tx,
        workspace_id,
        encrypted,
        overlapHours * HOUR_SECONDS * deps.webhookRetryScale,
      );
      const action = 'webhook_endpoint.secret_rotated';
      await audit(tx, caller, { action, object: id, details: { overlap_hours: overlapHours } });
    }
    const endpoint = await existingEndpoint(tx, workspace_id);
    // The endpoint was deleted and registered again in the meantime. The new one's secret was never rotated.
    if (!endpoint.previous_secret_until) throw originalDeleted();
    return {
      ...presentWebhookEndpoint(endpoint),
      secret: isFirst ? secret : null,
      previous_secret_expires_at: endpoint.previous_secret_until.toISOString(),
    };
  });
}

/**
 * Stores a `webhook.test` event about the endpoint, once per key, and returns its id. Errors: 404
 * `not_found`; 409 `idempotency_conflict`.
 */
export const insertTestEvent = (
  db: DataSource,
  workspace_id: string,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const before = await findBound(tx, workspace_id, idempotency);
    if (before) return before;
    const object = presentWebhookEndpoint(await existingEndpoint(tx, workspace_id));
    const id = await insertEvent(tx, { type: TEST_EVENT_TYPE, workspace_id, object, created_at: new Date() });
    await boundBefore(tx, workspace_id, idempotency, id);
    return id;
  });

/**
 * Stores a workspace's first endpoint, which gets the events after position `after`. The caller has locked
 * the workspace's events.
 */
export async function insertEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; secret: Buffer; after: number },
): Promise<void> {
  const { after: sent_up_to, ...columns } = endpoint;
  await tx.insert(WebhookEndpoint, { ...columns, id: newId('wh'), sent_up_to });
}

/**
 * Changes an endpoint and enables it. An endpoint that was disabled gets the events after position `after`,
 * not those it missed. Retries of events that it no longer subscribes to are deleted; the others are due
 * immediately. The caller has locked the workspace's events.
 */
async function updateEndpoint(
  tx: Tx,
  endpoint: { workspace_id: string; url: string; event_types: string[]; after: number },
): Promise<void> {
  const { workspace_id, url, event_types, after } = endpoint;
  await execute(
    tx,
    `UPDATE webhook_endpoints SET url = $2, event_types = $3, status = 'enabled', disabled_reason = NULL,
            sent_up_to = CASE status WHEN 'disabled' THEN $4 ELSE sent_up_to END,
            failing_since = NULL, revision = revision + 1, notify_at = now()
     WHERE workspace_id = $1`,
    [workspace_id, url, event_types, after],
  );
  await execute(
    tx,
    `DELETE FROM webhook_retries r USING events e, webhook_endpoints w
     WHERE r.workspace_id = $1 AND w.workspace_id = $1 AND e.id = r.event_id
       AND NOT is_subscribed(w, e.type)`,
    [workspace_id],
  );
  await tx.update(WebhookRetry, { workspace_id }, { next_attempt_at: NOW });
}

/**
 * Gives an endpoint a new secret. The current secret also signs until the overlap ends; an older one no
 * longer does.
 */
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
