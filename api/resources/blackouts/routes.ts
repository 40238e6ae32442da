import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { create } from './create.js';
import { remove } from './delete.js';
import { list } from './read.js';
import { createSchema } from './schema.js';

/** Blackouts of a room (docs/rules/rooms.md#blackouts). */
export function blackoutRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const path = '/v1/rooms/:id/blackouts';
  const signedIn = authenticated(deps);
  const canRead = requires('calendar:read', 'own_bookings');
  const canWrite = requires('calendar:write', 'write_rooms');
  router.get(path, ...route(signedIn, canRead, validQuery(pageSchema), list(deps)));
  router.post(path, ...route(signedIn, canWrite, validBody(createSchema), create(deps)));
  router.delete(`${path}/:blackout_id`, ...route(signedIn, canWrite, remove(deps)));
  return router;
}
