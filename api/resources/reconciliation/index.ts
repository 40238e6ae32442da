import type { Resource } from '../shared/resource.js';
import { EXAMPLE_RECONCILIATION_ID, operations } from './openapi.js';
import { reconciliationRoutes } from './routes.js';

export const reconciliation: Resource = {
  tag: 'Workspace',
  routes: reconciliationRoutes,
  operations,
  ids: {
    reconciliations: { name: 'reconciliation', example: EXAMPLE_RECONCILIATION_ID, notFound: 'not_found' },
  },
};
