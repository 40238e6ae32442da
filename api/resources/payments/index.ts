import type { EventsOf, Resource } from '../shared/resource.js';
import { events, EXAMPLE_PAYMENT_ID, operations } from './openapi.js';
import { payment } from './responses.js';
import { paymentRoutes } from './routes.js';

export const payments: Resource<EventsOf<'payment'>> = {
  tag: 'Payments',
  routes: paymentRoutes,
  operations,
  schemas: { Payment: payment },
  ids: { payments: { name: 'payment', example: EXAMPLE_PAYMENT_ID, notFound: 'payment_not_found' } },
  events,
};
