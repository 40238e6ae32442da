import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { applyEtag } from '../http/etag.js';
import { limited } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { showReference, writeReference } from '../reference/page.js';
import type { PathId } from '../resource/resource.js';
import type { JsonSchema } from './json-schema.js';

interface Rendered {
  json: string;
  etag: string;
  html: string;
}

/** The API document and its reference page. `describe` is called once, on the first request. */
export function documentRoutes(
  deps: ApiDependencies,
  describe: () => JsonSchema,
  ids: Record<string, PathId>,
): Router {
  const router = newRouter();
  let rendered: Rendered | undefined;

  function render(): Rendered {
    const document = describe();
    const json = JSON.stringify(document);
    return {
      json,
      etag: createHash('sha256').update(json).digest('base64url'),
      html: writeReference(document, ids),
    };
  }

  /** `GET /v1/openapi.json`, without authentication. */
  const show: Handler = async (ctx) => {
    const { json, etag } = (rendered ??= render());
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = json;
    applyEtag(ctx, etag);
  };

  /** `GET /docs`. */
  const reference: Handler = async (ctx) => {
    showReference(ctx, (rendered ??= render()).html);
  };

  router.get('/v1/openapi.json', ...route(limited(deps), show));
  router.get('/docs', ...route(limited(deps, { byAddress: true }), reference));
  return router;
}
