import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { create } from './create.js';
import { remove } from './delete.js';
import { list } from './read.js';
import { createSchema } from './schema.js';

/** The registered clients of the authorization server in `oauth/` (docs/rules/credentials.md#oauth). */
export function oauthClientRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const path = '/v1/oauth-clients';
  const signedIn = authenticated(deps);
  const canRead = requires('credentials:read', 'manage_keys');
  const canWrite = requires('credentials:write', 'manage_keys');
  const canDelete = requires('credentials:delete', 'manage_keys');
  router.get(path, ...route(signedIn, canRead, validQuery(pageSchema), list(deps)));
  router.post(path, ...route(signedIn, canWrite, validBody(createSchema), create(deps)));
  router.delete(`${path}/:id`, ...route(signedIn, canDelete, remove(deps)));
  return router;
}
