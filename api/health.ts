import type Router from '@koa/router';
import type { ApiDependencies } from './dependencies.js';
import { route, type Handler } from './http/context.js';
import { newRouter } from './http/router.js';

/** `GET /health`: 200 if this process can reach its database, 503 otherwise. */
export function healthRoutes({ db }: Pick<ApiDependencies, 'db'>): Router {
  const router = newRouter();
  const health: Handler = async (ctx) => {
    await db.query('SELECT 1');
    ctx.body = { status: 'ok' };
  };
  router.get('/health', ...route(health));
  return router;
}
