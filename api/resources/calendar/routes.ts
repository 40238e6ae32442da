import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validQuery } from '../../http/validate.js';
import { get } from './read.js';
import { querySchema } from './schema.js';

/** The calendar feed (docs/rules/bookings.md#calendar-feed). */
export function calendarRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const canRead = requires('calendar:read', 'own_bookings');
  router.get('/v1/calendar.ics', ...route(authenticated(deps), canRead, validQuery(querySchema), get(deps)));
  return router;
}
