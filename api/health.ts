import type Router from '@koa/router';
import type { ApiDependencies } from './dependencies.js';
import { route, type Handler } from './http/context.js';
import { notForwarded } from './http/client.js';
import { limitUnknown } from './http/limits.js';
import { newRouter } from './http/router.js';

/**
 * Probes come from inside, so these paths use plain HTTP and have no rate limit. Through a proxy they are
 * 404.
 */
export const HEALTH_PATHS = ['/health', '/health/live'];

/**
 * `GET /health`: 200 if requests may be sent to this process; 503 if it cannot reach its database or is
 * stopping. `GET /health/live`: 200 as long as the process responds at all, because a restart would not
 * repair the database.
 */
export function healthRoutes(deps: ApiDependencies): Router {
  const { db, isDraining } = deps;
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
  const inside = [limitUnknown(deps), notForwarded];
  router.get('/health', ...route(...inside, ready));
  router.get('/health/live', ...route(...inside, live));
  return router;
}
