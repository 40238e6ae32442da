import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { get, put } from './handlers.js';
import { operations } from './openapi.js';
import { bookingPage as schema, putSchema } from './shape.js';

/** The page on which people book by themselves (docs/rules/booking-page.md). */
export const bookingPage: Resource = {
  tag: 'Booking page',
  operations,
  schemas: { BookingPage: schema },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/booking-page';
    const signedIn = authenticated(deps);
    router.get(path, ...route(signedIn, requires('workspace:read', 'read_workspace'), get(deps)));
    router.put(
      path,
      ...route(signedIn, requires('workspace:write', 'write_workspace'), validBody(putSchema, put(deps))),
    );
    return router;
  },
};
