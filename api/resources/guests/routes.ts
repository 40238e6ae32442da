import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody } from '../../http/validate.js';
import { erase } from './erase.js';
import { eraseSchema } from './schema.js';

/** Guests, who book without being members and exist in their bookings only. */
export function guestRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const canErase = requires('members:delete', 'hard_delete');
  router.post(
    '/v1/guests/erase',
    ...route(authenticated(deps), canErase, validBody(eraseSchema), erase(deps)),
  );
  return router;
}
