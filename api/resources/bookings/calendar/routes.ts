import type { ApiDependencies } from '../../../dependencies.js';
import { authenticated, requires } from '../../../http/auth.js';
import { route } from '../../../http/context.js';
import { newRouter } from '../../../http/router.js';
import { validQuery } from '../../../http/validate.js';
import { get } from './read.js';
import { querySchema } from './shape.js';
import type { Resource } from '../../shared/resource.js';
import { operations } from './openapi.js';

/** The calendar feed (docs/rules/bookings.md#calendar-feed). */
export const calendar: Resource = {
  tag: 'Bookings',
  operations,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const canRead = requires('calendar:read', 'own_bookings');
    router.get(
      '/v1/calendar.ics',
      ...route(authenticated(deps), canRead, validQuery(querySchema, get(deps))),
    );
    return router;
  },
};
