import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { cancel } from './cancel.js';
import { update } from './update.js';
import { create } from './create.js';
import { noShow } from './no-show.js';
import { getPendingChange, removePendingChange } from './pending-change.js';
import { quote } from './quote.js';
import { rotateLink } from './rotate-link.js';
import { get, list } from './read.js';
import { sendBooking } from './send.js';
import { takePayment } from './take-payment.js';
import { takePaymentSchema } from './payment-shape.js';
import { cancelSchema, changeSchema } from './change-shape.js';
import { booking, createSchema, listSchema, quoteSchema } from './shape.js';
import type { EventsOf, Resource } from '../shared/resource.js';
import { EXAMPLE_BOOKING_ID } from './examples.js';
import { events, operations } from './openapi.js';

/** Bookings (docs/rules/bookings.md). */
export const bookings: Resource<EventsOf<'booking'>> = {
  tag: 'Bookings',
  operations,
  schemas: { Booking: booking },
  ids: { bookings: { name: 'booking', example: EXAMPLE_BOOKING_ID, notFound: 'booking_not_found' } },
  events,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/bookings';
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'own_bookings');
    const canWrite = requires('calendar:write', 'own_bookings');
    const canWriteAll = requires('calendar:write', 'all_bookings');
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(changeSchema, update(deps))));
    router.get(`${path}/:id/pending-change`, ...route(signedIn, canRead, getPendingChange(deps)));
    router.delete(`${path}/:id/pending-change`, ...route(signedIn, canWrite, removePendingChange(deps)));
    router.post(`${path}/:id/cancel`, ...route(signedIn, canWrite, validBody(cancelSchema, cancel(deps))));
    router.post(
      `${path}/:id/payments`,
      ...route(signedIn, canWriteAll, validBody(takePaymentSchema, takePayment(deps))),
    );
    router.post(`${path}/:id/no-show`, ...route(signedIn, canWriteAll, validBody(emptyBody, noShow(deps))));
    router.post(
      `${path}/:id/rotate-manage-link`,
      ...route(signedIn, canWriteAll, validBody(emptyBody, rotateLink(deps))),
    );
    router.post(`${path}/:id/send`, ...route(signedIn, canWriteAll, validBody(emptyBody, sendBooking(deps))));
    router.post('/v1/quotes', ...route(signedIn, canWrite, validBody(quoteSchema, quote(deps))));
    return router;
  },
};
