import type { Resource } from '../resource/resource.js';
import { operations } from './openapi.js';
import { calendarRoutes } from './routes.js';

export const calendar: Resource = { tag: 'Bookings', routes: calendarRoutes, operations };
