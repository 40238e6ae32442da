import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { create, get, list, removeCompanyCard, setUpCard, update } from './handlers.js';
import { operations } from './openapi.js';
import { company, createSchema, EXAMPLE_COMPANY_ID, updateSchema } from './shape.js';

/** Companies (docs/rules/members.md#companies). */
export const companies: Resource = {
  tag: 'Companies',
  operations,
  schemas: { Company: company },
  ids: { companies: { name: 'company', example: EXAMPLE_COMPANY_ID, notFound: 'company_not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/companies';
    const signedIn = authenticated(deps);
    const canRead = requires('members:read', 'read_payers');
    const canWrite = requires('members:write', 'write_companies');
    const canBill = requires('billing:write', 'write_billing');
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.post(
      `${path}/:id/card-setup`,
      ...route(signedIn, canBill, validBody(emptyBody), limitConcurrent(), setUpCard(deps)),
    );
    router.delete(`${path}/:id/card`, ...route(signedIn, canBill, removeCompanyCard(deps)));
    return router;
  },
};
