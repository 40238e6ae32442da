import type { EventsOf, Resource } from '../shared/resource.js';
import { events, EXAMPLE_BOOKING_ID, operations } from './openapi.js';
import { booking } from './responses.js';
import { bookingRoutes } from './routes.js';

export const bookings: Resource<EventsOf<'booking'>> = {
  tag: 'Bookings',
  routes: bookingRoutes,
  operations,
  schemas: { Booking: booking },
  ids: { bookings: { name: 'booking', example: EXAMPLE_BOOKING_ID, notFound: 'booking_not_found' } },
  events,
};
