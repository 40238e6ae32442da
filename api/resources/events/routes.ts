import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { get, list } from './read.js';
import { redeliver } from './redeliver.js';
import { listSchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_EVENT_ID, operations } from './openapi.js';

/** Events and their deliveries (docs/rules/events.md). */
export const events: Resource = {
  tag: 'Webhooks',
  operations,
  ids: { events: { name: 'event', example: EXAMPLE_EVENT_ID, notFound: 'event_not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/events';
    const signedIn = authenticated(deps);
    const canRead = requires('webhooks:read', 'manage_webhooks');
    const canWrite = requires('webhooks:write', 'manage_webhooks');
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.post(
      `${path}/:id/redeliver`,
      ...route(signedIn, canWrite, validBody(emptyBody), limitConcurrent(), redeliver(deps)),
    );
    return router;
  },
};
