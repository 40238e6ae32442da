import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { create, get, list, update } from './handlers.js';
import { operations } from './openapi.js';
import { createSchema, EXAMPLE_EXTRA_ID, extra, listSchema, updateSchema } from './shape.js';

/** What is booked with rooms (docs/rules/extras.md). */
export const extras: Resource = {
  tag: 'Extras',
  operations,
  schemas: { Extra: extra },
  ids: { extras: { name: 'extra', example: EXAMPLE_EXTRA_ID, notFound: 'not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/extras';
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'own_bookings');
    const canWrite = requires('calendar:write', 'write_rooms');
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    return router;
  },
};
