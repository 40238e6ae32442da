import { randomBytes } from 'node:crypto';
import type { WebhookEndpoint } from '../../db/rows.js';
import { newId } from '../../db/ids.js';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { insertEvent } from '../../db/repositories/events/events.js';
import { assignAllPositions, lockEvents } from '../../db/repositories/events/positions.js';
import { findEndpoint, secretContext } from '../../db/repositories/events/webhook-endpoint-queries.js';
import {
  deleteEndpoint,
  insertEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from '../../db/repositories/events/webhook-endpoints.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { ALL_EVENTS, TEST_EVENT_TYPE } from '../../domain/events.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import { redeliver } from '../events/redeliver.js';
import { standsForNothing } from '../http/idempotency.js';
import { presentEndpoint } from './presenter.js';
import { checkReceiver } from './receiver.js';
import type { PutEndpointBody } from './schema.js';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const seal = ({ encryption }: ApiDependencies, secret: string, workspaceId: string): Buffer =>
  encryption.encrypt(secret, secretContext(workspaceId));

/** The workspace's endpoint. Errors: 404 `not_found`. */
export async function existingEndpoint(tx: Tx, workspaceId: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(tx, workspaceId);
  if (!endpoint) throw new ApiError('not_found', 'The workspace has no webhook endpoint.');
  return endpoint;
}

/**
 * Registers the endpoint, or changes it and enables it again. `secret` is there the first time. Errors: 422 for a
 * receiver that may not be one.
 */
export async function putEndpoint(deps: ApiDependencies, caller: Principal, body: PutEndpointBody) {
  const { workspace_id } = caller;
  const url = await checkReceiver(deps, body.url);
  const event_types = body.event_types.length > 0 ? body.event_types : [ALL_EVENTS];
  const secret = newSecret();
  return transaction(deps.db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const created = (await findEndpoint(tx, workspace_id)) === null;
    const wanted = { workspace_id, url, event_types, after: await assignAllPositions(tx, workspace_id) };
    if (created) await insertEndpoint(tx, { ...wanted, secret: seal(deps, secret, workspace_id) });
    else await updateEndpoint(tx, wanted);
    const endpoint = await existingEndpoint(tx, workspace_id);
    const action = created ? 'webhook_endpoint.created' : 'webhook_endpoint.updated';
    await audit(tx, caller, { action, object: endpoint.id, details: { url, event_types } });
    return { created, endpoint: { ...presentEndpoint(endpoint), ...(created && { secret }) } };
  });
}

/** Removes the endpoint. Errors: 404 `not_found`. */
export function removeEndpoint({ db }: ApiDependencies, caller: Principal): Promise<void> {
  return transaction(db, async (tx) => {
    await lockEvents(tx, caller.workspace_id);
    const { id, url } = await existingEndpoint(tx, caller.workspace_id);
    await deleteEndpoint(tx, caller.workspace_id);
    await audit(tx, caller, { action: 'webhook_endpoint.deleted', object: id, details: { url } });
  });
}

/**
 * Gives the endpoint a new secret; says until when the old one signs too. A repeat rotates nothing: it shows the endpoint
 * as it is now, with null for the secret that was shown before. Errors: 404 `not_found`.
 */
export function rotateSecret(
  deps: ApiDependencies,
  caller: Principal,
  overlapHours: number,
  idempotency: IdempotencyKey | null,
) {
  const { workspace_id } = caller;
  const secret = newSecret();
  const rotation = newId('rot');
  return transaction(deps.db, async (tx) => {
    const isFirst = (await bindKey(tx, workspace_id, idempotency, rotation)) === rotation;
    if (isFirst) {
      await lockEvents(tx, workspace_id);
      const { id } = await existingEndpoint(tx, workspace_id);
      const overlapSeconds = overlapHours * 3_600 * deps.webhookRetryScale;
      await rotateEndpointSecret(tx, workspace_id, seal(deps, secret, workspace_id), overlapSeconds);
      const action = 'webhook_endpoint.secret_rotated';
      await audit(tx, caller, { action, object: id, details: { overlap_hours: overlapHours } });
    }
    const endpoint = await existingEndpoint(tx, workspace_id);
    // It was deleted and registered anew since, with a secret that nobody has rotated.
    if (!endpoint.previous_secret_until) throw standsForNothing();
    const previous_secret_expires_at = endpoint.previous_secret_until.toISOString();
    return { ...presentEndpoint(endpoint), secret: isFirst ? secret : null, previous_secret_expires_at };
  });
}

/** Sends a `webhook.test` event now, once. Gives it with its delivery, whatever the receiver did. Errors: 404. */
export async function sendTestEvent(deps: ApiDependencies, { workspace_id }: Principal) {
  const eventId = await transaction(deps.db, async (tx) => {
    await lockEvents(tx, workspace_id);
    const object = presentEndpoint(await existingEndpoint(tx, workspace_id));
    return insertEvent(tx, { type: TEST_EVENT_TYPE, workspace_id, object, created_at: new Date() });
  });
  return redeliver(deps, workspace_id, eventId);
}
