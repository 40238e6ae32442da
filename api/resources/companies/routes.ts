import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { setUpCard } from './card-setup.js';
import { create } from './create.js';
import { get, list } from './read.js';
import { removeCompanyCard } from './remove-card.js';
import { createSchema, updateSchema } from './schema.js';
import { update } from './update.js';

/** Companies (docs/rules/workspace.md#companies). */
export function companyRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const signedIn = authenticated(deps);
  const canRead = requires('members:read', 'read_others');
  const canWrite = requires('members:write', 'write_companies');
  const canBill = requires('billing:write', 'write_billing');
  router.get('/v1/companies', ...route(signedIn, canRead, validQuery(pageSchema), list(deps)));
  router.post('/v1/companies', ...route(signedIn, canWrite, validBody(createSchema), create(deps)));
  router.get('/v1/companies/:id', ...route(signedIn, canRead, get(deps)));
  router.patch('/v1/companies/:id', ...route(signedIn, canWrite, validBody(updateSchema), update(deps)));
  router.post(
    '/v1/companies/:id/card-setup',
    ...route(signedIn, canBill, validBody(emptyBody), limitConcurrent(), setUpCard(deps)),
  );
  router.delete('/v1/companies/:id/card', ...route(signedIn, canBill, removeCompanyCard(deps)));
  return router;
}
