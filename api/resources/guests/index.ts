import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { guestRoutes } from './routes.js';

export const guests: Resource = { tag: 'Members', routes: guestRoutes, operations };
