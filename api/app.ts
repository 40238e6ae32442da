import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { ApiError } from '../domain/errors.js';
import type { ApiDependencies } from './dependencies.js';
import { HEALTH_PATHS, healthRoutes } from './health.js';
import { isHttps } from './http/client.js';
import { crossOrigin } from './http/cors.js';
import { errorResponses } from './http/errors.js';
import { jsonBodies } from './http/json.js';
import { limiter } from './http/limits.js';
import { operationRoutes } from './http/operation-routes.js';
import { newRouter } from './http/router.js';
import { measured, traced } from './http/telemetry.js';
import { internalRoutes } from './internal/routes.js';
import { describeApi, publicRoutes } from './openapi/document.js';
import { reference } from './openapi/index.js';
import type { OpenApi } from './openapi/open-api.js';
import { documentRoutes } from './openapi/routes.js';
import { processorWebhookRoutes } from './processor-webhooks/routes.js';
import { EVENTS, RESOURCES } from './resources/index.js';
import { securityTxtRoutes } from './security-txt.js';

/** One year. Without `includeSubDomains`: other hosts of the operator's domain may not support HTTPS. */
const STRICT_TRANSPORT = 'max-age=31536000';

/** Probes use plain HTTP. Paths of internal actions are 404 here anyway. */
const answersHttp = (path: string): boolean => HEALTH_PATHS.includes(path) || path.startsWith('/internal/');

/**
 * Rejects plain HTTP instead of redirecting it: with a redirect, clients would keep sending their keys in
 * clear text (docs/rules/api.md#https). HSTS is sent only over HTTPS, because browsers ignore it over plain
 * HTTP, where an attacker could have added it.
 */
function httpsOnly(deps: ApiDependencies): Middleware {
  const limit = limiter(deps);
  return async (ctx, next) => {
    const secure = isHttps(ctx, deps.trustedProxies);
    if (secure) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT);
    if (!deps.allowHttp && !answersHttp(ctx.path) && !secure) {
      await limit(ctx, { byAddress: true });
      throw new ApiError('https_required', 'Plain HTTP is not supported. Use HTTPS.');
    }
    await next();
  };
}

/**
 * How long a request may wait for Temporal, in ms, unless its handler sets its own deadline. Without
 * one, a Temporal that accepts connections and does not respond would hold requests forever, and keep
 * the process from ending.
 */
const TEMPORAL_WITHIN_MS = 15_000;

/** Sets a deadline for all Temporal calls of a request. */
export const boundedCalls =
  ({ temporal }: Pick<ApiDependencies, 'temporal'>): Middleware =>
  (_, next) =>
    temporal.withDeadline(Date.now() + TEMPORAL_WITHIN_MS, async () => {
      await next();
    });

/**
 * By default, responses must not be stored or interpreted as another type. A handler whose response may be
 * stored overrides the header.
 */
const notStored: Middleware = (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Rate-limits requests that match no route. */
function limitUnrouted(deps: ApiDependencies): Middleware {
  const limit = limiter(deps);
  return async (ctx) => {
    await limit(ctx);
  };
}

/**
 * Routes in addition to the resources. `document` returns the API document, which is built on the first call.
 */
export type MoreRoutes = (deps: ApiDependencies, document: () => OpenApi) => Router;

/** The pages for people: their routes, and the handler for paths that match no route. */
interface Pages {
  PAGES: readonly MoreRoutes[];
  unknownPages: Middleware;
}

/** What the API document describes. */
const DESCRIBED = { resources: [...RESOURCES, reference], events: EVENTS };

const BESIDE_RESOURCES = [processorWebhookRoutes, healthRoutes, documentRoutes, securityTxtRoutes];

/** The API document of the routes of a router. */
export const describeRoutes = (router: Router, publicUrl: string): OpenApi =>
  describeApi(DESCRIBED, publicRoutes(router), publicUrl);

/** All routes of the API, then `pages`. */
export function createRouter(deps: ApiDependencies, pages: readonly MoreRoutes[] = []): Router {
  const router = newRouter();
  let described: OpenApi | undefined;
  const document = () => (described ??= describeRoutes(router, deps.publicUrl));
  for (const { operations } of RESOURCES) router.use(operationRoutes(operations, deps).routes());
  for (const routes of [...BESIDE_RESOURCES, ...pages]) router.use(routes(deps, document).routes());
  return router;
}

/** An app with these routes and then the pages, behind the middlewares that all requests pass. */
function buildApp(deps: ApiDependencies, koa: Koa, router: Router, before: Middleware[] = []): Koa {
  koa.silent = true;
  koa.use(notStored);
  koa.use(measured(deps.metrics));
  if (deps.tracer) koa.use(traced(deps.tracer));
  koa.use(errorResponses(deps.log));
  koa.use(jsonBodies);
  for (const middleware of before) koa.use(middleware);
  koa.use(router.routes());
  koa.use(router.allowedMethods());
  koa.use(limitUnrouted(deps));
  return koa;
}

export function createApp(deps: ApiDependencies, { PAGES, unknownPages }: Pages): Koa {
  const koa = new Koa({ proxy: deps.trustedProxies > 0, maxIpsCount: deps.trustedProxies });
  const before = [httpsOnly(deps), boundedCalls(deps), crossOrigin(deps), unknownPages];
  return buildApp(deps, koa, createRouter(deps, PAGES), before);
}

/**
 * The internal actions, for a port of their own: plain HTTP, and calls to Temporal that
 * take as long as their job.
 */
export const createInternalApp = (deps: ApiDependencies): Koa =>
  buildApp(deps, new Koa(), internalRoutes(deps));
