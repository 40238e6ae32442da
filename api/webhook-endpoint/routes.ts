import Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { idempotencyOf } from '../http/idempotency.js';
import { validBody } from '../http/validate.js';
import { existingEndpoint, putEndpoint, removeEndpoint, rotateSecret, sendTestEvent } from './change.js';
import { presentEndpoint } from './presenter.js';
import { putEndpointSchema, rotateSecretSchema, type PutEndpointBody } from './schema.js';

/** The workspace's one webhook endpoint (spec.md, "Webhook endpoint"; decisions.md, "Events"). */
export function webhookEndpointRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const signedIn = authenticated(deps);

  const get: Handler = async (ctx) => {
    ctx.body = presentEndpoint(await existingEndpoint(deps.db.manager, ctx.state.principal.workspace_id));
  };

  const put: Handler = async (ctx) => {
    const { principal, body } = ctx.state;
    const { created, endpoint } = await putEndpoint(deps, principal, body as PutEndpointBody);
    ctx.status = created ? 201 : 200;
    ctx.body = endpoint;
  };

  const remove: Handler = async (ctx) => {
    await removeEndpoint(deps, ctx.state.principal);
    ctx.status = 204;
  };

  const rotate: Handler = async (ctx) => {
    const { overlap_hours } = ctx.state.body as { overlap_hours: number };
    ctx.body = await rotateSecret(deps, ctx.state.principal, overlap_hours, idempotencyOf(ctx));
  };

  const test: Handler = async (ctx) => {
    ctx.body = await sendTestEvent(deps, ctx.state.principal);
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
