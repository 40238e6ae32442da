import type { Resource } from '../shared/resource.js';
import { EXAMPLE_BLACKOUT_ID, operations } from './openapi.js';
import { blackout } from './responses.js';
import { blackoutRoutes } from './routes.js';

export const blackouts: Resource = {
  tag: 'Rooms',
  routes: blackoutRoutes,
  operations,
  schemas: { Blackout: blackout },
  ids: { blackouts: { name: 'blackout', example: EXAMPLE_BLACKOUT_ID, notFound: 'not_found' } },
};
