import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { create } from './create.js';
import { get, list } from './read.js';
import { createSchema, listSchema, updateSchema } from './schema.js';
import { update } from './update.js';

/** Rooms (docs/rules/rooms.md#rooms). */
export function roomRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const signedIn = authenticated(deps);
  const canRead = requires('calendar:read', 'own_bookings');
  const canWrite = requires('calendar:write', 'write_rooms');
  router.get('/v1/rooms', ...route(signedIn, canRead, validQuery(listSchema), list(deps)));
  router.post('/v1/rooms', ...route(signedIn, canWrite, validBody(createSchema), create(deps)));
  router.get('/v1/rooms/:id', ...route(signedIn, canRead, get(deps)));
  router.patch('/v1/rooms/:id', ...route(signedIn, canWrite, validBody(updateSchema), update(deps)));
  return router;
}
