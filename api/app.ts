import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { ApiError } from '../domain/errors.js';
import { apiKeyRoutes } from './api-keys/routes.js';
import { auditLogRoutes } from './audit-log/routes.js';
import { availabilityRoutes } from './availability/routes.js';
import { bookingRoutes } from './bookings/routes.js';
import { calendarRoutes } from './calendar/routes.js';
import { companyRoutes } from './companies/routes.js';
import { eventRoutes } from './events/routes.js';
import { cameByHttps } from './http/client.js';
import { guestRoutes } from './guests/routes.js';
import { dashboardRoutes } from './dashboard/routes.js';
import type { ApiDependencies } from './dependencies.js';
import { errorAnswers } from './http/errors.js';
import { limiter } from './http/limits.js';
import { healthRoutes } from './health.js';
import { internalRoutes } from './internal/routes.js';
import { invoiceRoutes } from './invoices/routes.js';
import { memberRoutes } from './members/routes.js';
import { openApiRoutes } from './openapi/routes.js';
import { oauthRoutes } from './oauth/routes.js';
import { paymentRoutes } from './payments/routes.js';
import { invitePages } from './pages/invite.js';
import { pageRoutes } from './pages/routes.js';
import { reconciliationRoutes } from './reconciliation/routes.js';
import { roomRoutes } from './rooms/routes.js';
import { webhookEndpointRoutes } from './webhook-endpoint/routes.js';
import { signInRoutes } from './sign-in/routes.js';
import { webhookRoutes } from './processor-webhooks/routes.js';
import { workspaceRoutes } from './workspace/routes.js';

/** A year. Not `includeSubDomains`: what else there is under the operator's name is not ours to say. */
const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Plain HTTP is refused, never redirected: a redirect would let a client go on sending its key in the clear. A browser
 * that came by https is told to come by nothing else from now on; over plain HTTP anybody could have said that.
 */
function httpsOnly(deps: ApiDependencies): Middleware {
  const limit = limiter(deps);
  return async (ctx, next) => {
    const inside = ctx.path.startsWith('/internal/') || ctx.path === '/health';
    const secure = cameByHttps(ctx, deps.trustedProxies);
    if (secure) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    if (!deps.allowHttp && !inside && !secure) {
      await limit(ctx, { byAddress: true });
      throw new ApiError('https_required', 'Use https.');
    }
    await next();
  };
}

/** What no route has taken counts as well. */
function countUnrouted(deps: ApiDependencies): Middleware {
  const limit = limiter(deps);
  return async (ctx) => {
    await limit(ctx);
  };
}

/** All routes. One list of resources; each has a folder of its own. */
export function createRouter(deps: ApiDependencies): Router {
  const resources = [
    availabilityRoutes,
    bookingRoutes,
    calendarRoutes,
    roomRoutes,
    companyRoutes,
    memberRoutes,
    guestRoutes,
    workspaceRoutes,
    auditLogRoutes,
    apiKeyRoutes,
    invoiceRoutes,
    paymentRoutes,
    webhookEndpointRoutes,
    eventRoutes,
    reconciliationRoutes,
    internalRoutes,
    webhookRoutes,
    pageRoutes,
    signInRoutes,
    dashboardRoutes,
    invitePages,
    oauthRoutes,
    healthRoutes,
  ];
  const router = new Router();
  for (const routes of resources) router.use(routes(deps).routes());
  router.use(openApiRoutes(deps, router).routes());
  return router;
}

/** The API over its dependencies. */
export function createApp(deps: ApiDependencies): Koa {
  const app = new Koa({ proxy: deps.trustedProxies > 0, maxIpsCount: deps.trustedProxies });
  app.silent = true;
  app.use(errorAnswers(deps.log));
  app.use(httpsOnly(deps));
  const router = createRouter(deps);
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.use(countUnrouted(deps));
  return app;
}
