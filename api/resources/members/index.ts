import type { EventsOf, Resource } from '../shared/resource.js';
import { events, EXAMPLE_MEMBER_ID, operations } from './openapi.js';
import { member } from './responses.js';
import { memberRoutes } from './routes.js';

export const members: Resource<EventsOf<'member'>> = {
  tag: 'Members',
  routes: memberRoutes,
  operations,
  schemas: { Member: member },
  ids: { members: { name: 'member', example: EXAMPLE_MEMBER_ID, notFound: 'member_not_found' } },
  events,
};
