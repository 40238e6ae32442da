import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { availabilityRoutes } from './routes.js';

export const availability: Resource = { tag: 'Bookings', routes: availabilityRoutes, operations };
