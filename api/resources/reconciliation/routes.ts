import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validQuery } from '../../http/validate.js';
import { get, getById } from './read.js';
import { querySchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_RECONCILIATION_ID, operations } from './openapi.js';

/** Reconciliation of ledger, processor and accounting system (docs/rules/billing.md#reconciliation). */
export const reconciliation: Resource = {
  tag: 'Workspace',
  operations,
  ids: {
    reconciliations: { name: 'reconciliation', example: EXAMPLE_RECONCILIATION_ID, notFound: 'not_found' },
  },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const canRead = requires('workspace:read', 'read_billing');
    router.get(
      '/v1/reconciliation',
      ...route(authenticated(deps), canRead, validQuery(querySchema, limitConcurrent(get(deps)))),
    );
    router.get('/v1/reconciliations/:id', ...route(authenticated(deps), canRead, getById(deps)));
    return router;
  },
};
