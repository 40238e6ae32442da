import type { Resource } from '../resource/resource.js';
import { operations } from './openapi.js';
import { reconciliationRoutes } from './routes.js';

export const reconciliation: Resource = { tag: 'Workspace', routes: reconciliationRoutes, operations };
