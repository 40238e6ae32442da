import type { EventsOf, Resource } from '../shared/resource.js';
import { events, operations } from './openapi.js';
import { webhookEndpoint as schema } from './responses.js';
import { webhookEndpointRoutes } from './routes.js';

export const webhookEndpoint: Resource<EventsOf<'webhook'>> = {
  tag: 'Webhooks',
  routes: webhookEndpointRoutes,
  operations,
  schemas: { WebhookEndpoint: schema },
  events,
};
