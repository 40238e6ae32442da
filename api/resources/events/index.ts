import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { EXAMPLE_EVENT_ID } from './responses.js';
import { eventRoutes } from './routes.js';

export const events: Resource = {
  tag: 'Webhooks',
  routes: eventRoutes,
  operations,
  ids: { events: { name: 'event', example: EXAMPLE_EVENT_ID, notFound: 'event_not_found' } },
};
