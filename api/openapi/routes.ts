import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { applyEtag } from '../http/etag.js';
import { limited } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import type { OpenApi } from './open-api.js';

/** `GET /v1/openapi.json`, without authentication. `document` is called once, with the first request. */
export function documentRoutes(deps: ApiDependencies, document: () => OpenApi): Router {
  const router = newRouter();
  let written: { json: string; etag: string } | undefined;

  function write(): { json: string; etag: string } {
    const json = JSON.stringify(document());
    return { json, etag: createHash('sha256').update(json).digest('base64url') };
  }

  const show: Handler = async (ctx) => {
    const { json, etag } = (written ??= write());
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = json;
    applyEtag(ctx, etag);
  };

  router.get('/v1/openapi.json', ...route(limited(deps), show));
  return router;
}
