import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { calendarRoutes } from './routes.js';

export const calendar: Resource = { tag: 'Bookings', routes: calendarRoutes, operations };
