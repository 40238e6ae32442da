import type { ApiDependencies } from '../../../dependencies.js';
import { authenticated, requires } from '../../../http/auth.js';
import { limitConcurrent } from '../../../http/concurrency.js';
import { route } from '../../../http/context.js';
import { emptyBody } from '../../../http/fields.js';
import { newRouter } from '../../../http/router.js';
import { validBody } from '../../../http/validate.js';
import { remove } from './delete.js';
import { put } from './put.js';
import { get } from './read.js';
import { rotate } from './rotate-secret.js';
import { putSchema, rotateSchema, webhookEndpoint as schema } from './shape.js';
import { test } from './test-event.js';
import type { EventsOf, Resource } from '../../shared/resource.js';
import { events, operations } from './openapi.js';

/** The webhook endpoint that a workspace's events are sent to (docs/rules/events.md#endpoint). */
export const webhookEndpoint: Resource<EventsOf<'webhook'>> = {
  tag: 'Webhooks',
  operations,
  schemas: { WebhookEndpoint: schema },
  events,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/webhook-endpoint';
    const signedIn = authenticated(deps);
    const canRead = requires('webhooks:read', 'manage_webhooks');
    const canWrite = requires('webhooks:write', 'manage_webhooks');
    const canDelete = requires('webhooks:delete', 'manage_webhooks');
    router.get(path, ...route(signedIn, canRead, get(deps)));
    router.put(path, ...route(signedIn, canWrite, validBody(putSchema, put(deps))));
    router.delete(path, ...route(signedIn, canDelete, remove(deps)));
    router.post(`${path}/rotate-secret`, ...route(signedIn, canWrite, validBody(rotateSchema, rotate(deps))));
    router.post(
      `${path}/test`,
      ...route(signedIn, canWrite, validBody(emptyBody), limitConcurrent(), test(deps)),
    );
    return router;
  },
};
