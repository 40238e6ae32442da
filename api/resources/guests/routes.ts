import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody } from '../../http/validate.js';
import { erase } from './erase.js';
import { eraseSchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';

/** Guests, who book without being members and exist in their bookings only. */
export const guests: Resource = {
  tag: 'Members',
  operations,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const canErase = requires('members:delete', 'hard_delete');
    router.post(
      '/v1/guests/erase',
      ...route(authenticated(deps), canErase, validBody(eraseSchema, erase(deps))),
    );
    return router;
  },
};
