import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { answerOnce } from '../http/etag.js';
import { limiter } from '../http/limits.js';
import { describeApi, publicRoutes } from './document.js';
import { showReference, writeReference } from './page.js';

interface Written {
  json: string;
  etag: string;
  html: string;
}

/** The API's document and its reference page, about the routes of `described`. Written once, when they are asked for. */
export function openApiRoutes(deps: ApiDependencies, described: Router): Router {
  const router = new Router();
  const limit = limiter(deps);
  let written: Written | undefined;

  function write(): Written {
    const document = describeApi(publicRoutes(described), deps.publicUrl);
    const json = JSON.stringify(document);
    return {
      json,
      etag: createHash('sha256').update(json).digest('base64url'),
      html: writeReference(document),
    };
  }

  const limited: Handler = async (ctx, next) => {
    await limit(ctx);
    await next();
  };

  /** `GET /v1/openapi.json`, for everybody. */
  const show: Handler = async (ctx) => {
    const { json, etag } = (written ??= write());
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = json;
    answerOnce(ctx, etag);
  };

  /** `GET /docs`, for people. */
  const reference: Handler = async (ctx) => {
    showReference(ctx, (written ??= write()).html);
  };

  router.get('/v1/openapi.json', ...route(limited, show));
  router.get('/docs', ...route(reference));
  return router;
}
