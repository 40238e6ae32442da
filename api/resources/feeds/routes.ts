import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { create, list, remove } from './handlers.js';
import { EXAMPLE_FEED_ID, operations } from './openapi.js';
import { createSchema, feed } from './shape.js';

/** Calendar addresses (docs/rules/bookings.md#calendar-address). */
export const feeds: Resource = {
  tag: 'Bookings',
  operations,
  schemas: { Feed: feed },
  ids: { feeds: { name: 'feed', example: EXAMPLE_FEED_ID, notFound: 'not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/feeds';
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'own_bookings');
    const canWrite = requires('calendar:write', 'own_bookings');
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.delete(`${path}/:id`, ...route(signedIn, canWrite, remove(deps)));
    return router;
  },
};
