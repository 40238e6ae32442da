import type { ApiDependencies } from '../../../dependencies.js';
import { route } from '../../../http/context.js';
import { publishable } from '../../../http/publishable.js';
import { newRouter } from '../../../http/router.js';
import { validBody, validQuery } from '../../../http/validate.js';
import type { Resource } from '../../shared/resource.js';
import { availability, book, get, quote, rooms } from './handlers.js';
import { EXAMPLE_TOKEN, operations } from './openapi.js';
import { availabilityQuery, bookBody, publicBooking as schema, quoteBody } from './shape.js';

/** What web sites do with a publishable key (docs/rules/booking-page.md#web-sites). */
export const publicBooking: Resource = {
  tag: 'Web sites',
  operations,
  schemas: { PublicBooking: schema },
  ids: {
    token: { name: 'manage_token', example: EXAMPLE_TOKEN, notFound: 'booking_not_found' },
  },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/public';
    const site = publishable(deps);
    router.get(`${path}/rooms`, ...route(site, rooms(deps)));
    router.get(`${path}/availability`, ...route(site, validQuery(availabilityQuery, availability(deps))));
    router.post(`${path}/quotes`, ...route(site, validBody(quoteBody, quote(deps))));
    router.post(`${path}/bookings`, ...route(site, validBody(bookBody, book(deps))));
    router.get(`${path}/bookings/:token`, ...route(site, get(deps)));
    return router;
  },
};
