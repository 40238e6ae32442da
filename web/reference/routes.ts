import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route, type Handler } from '../../api/http/context.js';
import { limited } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import type { OpenApi } from '../../api/openapi/open-api.js';
import { collectPathIds } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import { showReference, writeReference } from './page.js';

/** `GET /docs`: the API document as a page, rendered with the first request. */
export function referenceRoutes(deps: ApiDependencies, document: () => OpenApi): Router {
  const router = newRouter();
  let html: string | undefined;
  const show: Handler = async (ctx) =>
    showReference(ctx, (html ??= writeReference(document(), collectPathIds(RESOURCES))));
  router.get('/docs', ...route(limited(deps, { byAddress: true }), show));
  return router;
}
