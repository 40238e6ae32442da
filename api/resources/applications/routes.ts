import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { create, list, remove } from './handlers.js';
import { createSchema, oauthClient } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_CLIENT_ID, operations } from './openapi.js';

/** The registered clients of the authorization server in `oauth/` (docs/rules/credentials.md#oauth). */
export const oauthClients: Resource = {
  tag: 'Credentials',
  operations,
  schemas: { OAuthClient: oauthClient },
  ids: { 'oauth-clients': { name: 'client', example: EXAMPLE_CLIENT_ID, notFound: 'not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/oauth-clients';
    const signedIn = authenticated(deps);
    const canRead = requires('credentials:read', 'manage_keys');
    const canWrite = requires('credentials:write', 'manage_keys');
    const canDelete = requires('credentials:delete', 'manage_keys');
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.delete(`${path}/:id`, ...route(signedIn, canDelete, remove(deps)));
    return router;
  },
};
