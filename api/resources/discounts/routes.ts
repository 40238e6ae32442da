import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import type { Resource } from '../shared/resource.js';
import { create, get, list, update } from './handlers.js';
import { operations } from './openapi.js';
import { createSchema, discount, EXAMPLE_DISCOUNT_ID, listSchema, updateSchema } from './shape.js';

/** Discount codes (docs/rules/discounts.md). Who knows one can use it, so only admins read them. */
export const discounts: Resource = {
  tag: 'Discounts',
  operations,
  schemas: { Discount: discount },
  ids: { discounts: { name: 'discount', example: EXAMPLE_DISCOUNT_ID, notFound: 'not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/discounts';
    const signedIn = authenticated(deps);
    const canRead = requires('calendar:read', 'write_rooms');
    const canWrite = requires('calendar:write', 'write_rooms');
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    return router;
  },
};
