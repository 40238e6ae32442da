import { randomBytes } from 'node:crypto';
import Router from '@koa/router';
import type { WebhookEndpoint } from '../../db/entities/index.js';
import { audit } from '../../db/repositories/audit.js';
import { lockEvents, placeAllEvents } from '../../db/repositories/event-relay.js';
import { insertEvent } from '../../db/repositories/events.js';
import * as endpoints from '../../db/repositories/webhook-endpoints.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { ALL_EVENTS, TEST_EVENT_TYPE } from '../../domain/events.js';
import type { ApiDependencies } from '../app.js';
import { redeliver } from '../events/redeliver.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { validBody } from '../http/validate.js';
import { presentEndpoint } from './presenter.js';
import { checkReceiver } from './receiver.js';
import { putEndpointSchema, rotateSecretSchema, type PutEndpointBody } from './schema.js';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

async function existingEndpoint(tx: Tx, workspaceId: string): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.findEndpoint(tx, workspaceId);
  if (!endpoint) throw new ApiError('not_found', 'The workspace has no webhook endpoint.');
  return endpoint;
}

/** The workspace's one webhook endpoint (spec.md, "Webhook endpoint"; decisions.md, "Events"). */
export function webhookEndpointRoutes(deps: ApiDependencies): Router {
  const { db, encryption, webhookRetryScale } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  const seal = (secret: string, workspaceId: string): Buffer =>
    encryption.encrypt(secret, endpoints.secretContext(workspaceId));

  const get: Handler = async (ctx) => {
    ctx.body = presentEndpoint(await existingEndpoint(db.manager, ctx.state.principal.workspace_id));
  };

  /** Registers the endpoint, or changes it and enables it again. The answer to the first has the secret. */
  const put: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const body = ctx.state.body as PutEndpointBody;
    const url = await checkReceiver(deps, body.url);
    const event_types = body.event_types.length > 0 ? body.event_types : [ALL_EVENTS];
    const secret = newSecret();
    const { endpoint, created } = await transaction(db, async (tx) => {
      await lockEvents(tx, workspace_id);
      const created = (await endpoints.findEndpoint(tx, workspace_id)) === null;
      const wanted = { workspace_id, url, event_types, after: await placeAllEvents(tx, workspace_id) };
      if (created) await endpoints.insertEndpoint(tx, { ...wanted, secret: seal(secret, workspace_id) });
      else await endpoints.updateEndpoint(tx, wanted);
      const endpoint = await existingEndpoint(tx, workspace_id);
      const action = created ? 'webhook_endpoint.created' : 'webhook_endpoint.updated';
      await audit(tx, principal, { action, object: endpoint.id, details: { url, event_types } });
      return { endpoint, created };
    });
    ctx.status = created ? 201 : 200;
    ctx.body = { ...presentEndpoint(endpoint), ...(created && { secret }) };
  };

  const remove: Handler = async (ctx) => {
    const { principal } = ctx.state;
    await transaction(db, async (tx) => {
      await lockEvents(tx, principal.workspace_id);
      const { id, url } = await existingEndpoint(tx, principal.workspace_id);
      await endpoints.deleteEndpoint(tx, principal.workspace_id);
      await audit(tx, principal, { action: 'webhook_endpoint.deleted', object: id, details: { url } });
    });
    ctx.status = 204;
  };

  /** Answers the endpoint with its new secret, and until when the old one signs too. */
  const rotate: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const { overlap_hours } = ctx.state.body as { overlap_hours: number };
    const secret = newSecret();
    const endpoint = await transaction(db, async (tx) => {
      await lockEvents(tx, workspace_id);
      const { id } = await existingEndpoint(tx, workspace_id);
      const overlapSeconds = overlap_hours * 3_600 * webhookRetryScale;
      await endpoints.rotateSecret(tx, workspace_id, seal(secret, workspace_id), overlapSeconds);
      const action = 'webhook_endpoint.secret_rotated';
      await audit(tx, principal, { action, object: id, details: { overlap_hours } });
      return existingEndpoint(tx, workspace_id);
    });
    const previous_secret_expires_at = endpoint.previous_secret_until!.toISOString();
    ctx.body = { ...presentEndpoint(endpoint), secret, previous_secret_expires_at };
  };

  /** Sends a `webhook.test` event now, once. Answers it with its delivery, whatever the receiver did. */
  const test: Handler = async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const eventId = await transaction(db, async (tx) => {
      await lockEvents(tx, workspace_id);
      const object = presentEndpoint(await existingEndpoint(tx, workspace_id));
      return insertEvent(tx, { type: TEST_EVENT_TYPE, workspace_id, object, created_at: new Date() });
    });
    ctx.body = await redeliver(deps, workspace_id, eventId);
  };

  const mayRead = may('webhooks:read', 'manage_webhooks');
  const mayWrite = may('webhooks:write', 'manage_webhooks');
  const mayDelete = may('webhooks:delete', 'manage_webhooks');
  const path = '/v1/webhook-endpoint';
  router.get(path, ...route(signedIn, mayRead, get));
  router.put(path, ...route(signedIn, mayWrite, validBody(putEndpointSchema), put));
  router.delete(path, ...route(signedIn, mayDelete, remove));
  router.post(`${path}/rotate-secret`, ...route(signedIn, mayWrite, validBody(rotateSecretSchema), rotate));
  router.post(`${path}/test`, ...route(signedIn, mayWrite, test));
  return router;
}
