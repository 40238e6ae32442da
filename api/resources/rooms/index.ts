import type { Resource } from '../shared/resource.js';
import { EXAMPLE_ROOM_ID, operations } from './openapi.js';
import { room } from './responses.js';
import { roomRoutes } from './routes.js';

export const rooms: Resource = {
  tag: 'Rooms',
  routes: roomRoutes,
  operations,
  schemas: { Room: room },
  ids: { rooms: { name: 'room', example: EXAMPLE_ROOM_ID, notFound: 'room_not_found' } },
};
