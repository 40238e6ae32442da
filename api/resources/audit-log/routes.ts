import type Router from '@koa/router';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validQuery } from '../../http/validate.js';
import { list } from './read.js';
import { listSchema } from './schema.js';

/** The audit log (docs/rules/credentials.md#audit-log). */
export function auditLogRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const canRead = requires('workspace:read', 'read_audit_log');
  router.get('/v1/audit-log', ...route(authenticated(deps), canRead, validQuery(listSchema), list(deps)));
  return router;
}
