import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validFormOrBody, validQuery } from '../../http/validate.js';
import { create } from './create.js';
import { update } from './update.js';
import { get, list } from './read.js';
import { revoke, revokeAll } from './revoke.js';
import { rotate, rotateCaller } from './rotate.js';
import { apiKey, createSchema, updateSchema, rotateSchema } from './shape.js';
import { whoami } from './whoami.js';
import type { Resource } from '../shared/resource.js';
import { EXAMPLE_KEY_ID, operations } from './openapi.js';

/** API keys (docs/rules/credentials.md). */
export const apiKeys: Resource = {
  tag: 'Credentials',
  operations,
  schemas: { ApiKey: apiKey },
  ids: { 'api-keys': { name: 'key', example: EXAMPLE_KEY_ID, notFound: 'key_not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/api-keys';
    const signedIn = authenticated(deps);
    const canRead = requires('credentials:read', 'manage_keys');
    const canWrite = requires('credentials:write', 'manage_keys');
    const canDelete = requires('credentials:delete', 'manage_keys');
    router.get('/v1/auth/whoami', ...route(signedIn, whoami));
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.post(
      `${path}/rotate`,
      ...route(signedIn, canWrite, validFormOrBody(rotateSchema, rotateCaller(deps))),
    );
    router.post(`${path}/revoke-all`, ...route(signedIn, canDelete, validBody(emptyBody, revokeAll(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.post(
      `${path}/:id/rotate`,
      ...route(signedIn, canWrite, validFormOrBody(rotateSchema, rotate(deps))),
    );
    router.delete(`${path}/:id`, ...route(signedIn, canDelete, revoke(deps)));
    return router;
  },
};
