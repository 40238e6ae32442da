import type { ApiDependencies } from '../../../dependencies.js';
import { authenticated, requires } from '../../../http/auth.js';
import { route } from '../../../http/context.js';
import { newRouter } from '../../../http/router.js';
import { validQuery } from '../../../http/validate.js';
import type { Resource } from '../../shared/resource.js';
import { operations } from './openapi.js';
import { get } from './read.js';
import { querySchema } from './shape.js';

/** What is to be prepared (docs/rules/extras.md#preparations). */
export const preparations: Resource = {
  tag: 'Extras',
  operations,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const canRead = requires('calendar:read', 'all_bookings');
    router.get(
      '/v1/preparations',
      ...route(authenticated(deps), canRead, validQuery(querySchema, get(deps))),
    );
    return router;
  },
};
