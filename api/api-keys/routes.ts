import Router from '@koa/router';
import { listApiKeys } from '../../db/repositories/access/api-key-queries.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { idempotencyOf } from '../http/idempotency.js';
import { validBody, validFormOrBody, validQuery } from '../http/validate.js';
import { narrowKey, revokeAllKeys, revokeKey, rotateKey } from './change.js';
import { createKey } from './create.js';
import { presentKey } from './presenter.js';
import {
  createSchema,
  emptySchema,
  isKeyId,
  listSchema,
  narrowSchema,
  rotateSchema,
  type CreateBody,
  type NarrowBody,
  type RotateBody,
} from './schema.js';
import { whoami } from './whoami.js';

/** API keys and who is calling (spec.md, "Credentials", "Authentication"; decisions.md, "Credentials"). */
export function apiKeyRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const path = '/v1/api-keys';
  const signedIn = authenticated(deps);

  function keyIdOf({ params: { id } }: ApiContext): string {
    if (isKeyId(id!)) return id!;
    throw new ApiError('key_not_found', 'There is no such key.');
  }

  const list: Handler = async (ctx) => {
    const query = ctx.state.query as { limit: number; cursor?: string };
    const after = query.cursor ? decodeCursor(query.cursor, isKeyId) : undefined;
    const rows = await listApiKeys(deps.db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (key) => key.created_at, presentKey);
  };

  const create: Handler = async (ctx) => {
    const { principal, body } = ctx.state;
    const { key, created } = await createKey(deps, principal, body as CreateBody, idempotencyOf(ctx));
    ctx.status = created ? 201 : 200;
    ctx.body = key;
  };

  const narrow: Handler = async (ctx) => {
    ctx.body = await narrowKey(deps, ctx.state.principal, keyIdOf(ctx), ctx.state.body as NarrowBody);
  };

  const rotate = async (ctx: ApiContext, id: string): Promise<void> => {
    const { grace_window_days } = ctx.state.body as RotateBody;
    ctx.status = 200;
    // The same for a key that names itself and one that does not: `/rotate` alone means another key for each caller.
    const idempotency = idempotencyOf(ctx, `${path}/${id}/rotate`);
    ctx.body = await rotateKey(deps, ctx.state.principal, id, grace_window_days, idempotency);
  };
  const rotateOne: Handler = (ctx) => rotate(ctx, keyIdOf(ctx));
  const rotateOwn: Handler = (ctx) => rotate(ctx, ctx.state.principal.key_id!);

  const revoke: Handler = async (ctx) => {
    await revokeKey(deps, ctx.state.principal, keyIdOf(ctx));
    ctx.status = 204;
  };

  const revokeAll: Handler = async (ctx) => {
    ctx.status = 200;
    ctx.body = { revoked: await revokeAllKeys(deps, ctx.state.principal) };
  };

  const mayRead = may('credentials:read', 'manage_keys');
  const mayWrite = may('credentials:write', 'manage_keys');
  const mayDelete = may('credentials:delete', 'manage_keys');
  router.get('/v1/auth/whoami', ...route(signedIn, whoami));
  router.get(path, ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post(path, ...route(signedIn, mayWrite, validBody(createSchema), create));
  router.post(`${path}/rotate`, ...route(signedIn, mayWrite, validFormOrBody(rotateSchema), rotateOwn));
  router.post(`${path}/revoke-all`, ...route(signedIn, mayDelete, validBody(emptySchema), revokeAll));
  router.patch(`${path}/:id`, ...route(signedIn, mayWrite, validBody(narrowSchema), narrow));
  router.post(`${path}/:id/rotate`, ...route(signedIn, mayWrite, validFormOrBody(rotateSchema), rotateOne));
  router.delete(`${path}/:id`, ...route(signedIn, mayDelete, revoke));
  return router;
}
