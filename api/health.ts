import type Router from '@koa/router';
import type { ApiDependencies } from './dependencies.js';
import { route, type Handler } from './http/context.js';
import { newRouter } from './http/router.js';

/** Reached over plain HTTP and without limits: probes come from inside. */
export const HEALTH_PATHS = ['/health', '/health/live'];

/**
 * `GET /health`: 200 if requests may be sent to this process; 503 if it cannot reach its database, or is stopping.
 * `GET /health/live`: 200 as long as the process responds at all. A restart would not bring a database back.
 */
export function healthRoutes({ db, isDraining }: Pick<ApiDependencies, 'db' | 'isDraining'>): Router {
  const router = newRouter();
  const ready: Handler = async (ctx) => {
    if (isDraining()) {
      // Expected, so it is not logged as an error.
      ctx.status = 503;
      ctx.body = { status: 'stopping' };
      return;
    }
    await db.query('SELECT 1');
    ctx.body = { status: 'ok' };
  };
  const live: Handler = async (ctx) => {
    ctx.body = { status: 'ok' };
  };
  router.get('/health', ...route(ready));
  router.get('/health/live', ...route(live));
  return router;
}
