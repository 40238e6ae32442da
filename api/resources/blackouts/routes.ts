import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { create, list, remove } from './handlers.js';
import { blackout, createSchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_BLACKOUT_ID, operations } from './openapi.js';

/** Blackouts of a room (docs/rules/rooms.md#blackouts). */
export const blackouts: Resource = {
  tag: 'Rooms',
  operations,
  schemas: { Blackout: blackout },
  ids: { blackouts: { name: 'blackout', example: EXAMPLE_BLACKOUT_ID, notFound: 'not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/rooms/:id/blackouts';
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'own_bookings');
    const canWrite = requires('calendar:write', 'write_blackouts');
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.delete(`${path}/:blackout_id`, ...route(signedIn, canWrite, remove(deps)));
    return router;
  },
};
