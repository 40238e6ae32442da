import type { Context, Middleware } from 'koa';
import { isOriginOfSites } from '../../db/queries/api-keys/api-key.js';
import { isSiteOfApplications, sitesOfApplication } from '../../db/queries/applications/site.js';
import { ApiError } from '../../domain/errors.js';
import { isOfSites, toSite } from '../../domain/applications/redirect-uri.js';
import type { ApiDependencies } from '../dependencies.js';
import { clientAddress } from './client.js';
import { applyVerdict, limiter } from './limits.js';
import { bearerToken } from './tokens.js';

/** The operations that take publishable keys, and no other path. */
const PUBLIC_PATHS = '/v1/public/';
const PATHS = '/v1/';

/** How long browsers cache a preflight response, in seconds: the longest that they accept. */
const REMEMBERED_SECONDS = 7_200;

/** Response headers that scripts of a site can read in addition to the CORS-safelisted headers. */
const READABLE = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Location',
  'Retry-After',
  'Service-Maintenance',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'x-request-id',
].join(', ');

/** Request headers that scripts of a site may send, including those that tracing tools add. */
const TRACING = 'baggage, sentry-trace, traceparent, tracestate';
const SENDABLE = `Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, ${TRACING}`;

/** A preflight costs a tenth of a request: browsers send one for each URL of the API. */
const PREFLIGHT = 0.1;

/** Lets scripts of a site read the response, without credentials: nothing here depends on a cookie. */
export function allowOrigin(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', READABLE);
}

/** The error for an origin that no key and no application allows. */
export function originRefused(origin: string, remedy: string): ApiError {
  return new ApiError(
    'origin_not_allowed',
    `The origin ${origin.slice(0, 200)} is not allowed to send requests. ${remedy}`,
  );
}

type Deps = Pick<ApiDependencies, 'db' | 'authenticateAndLimit' | 'authenticatePublishable'>;

/**
 * Checks whether pages of an origin may send requests. Counts the preflight against the client's address
 * before the origin is looked up in the database. Errors: 403 `origin_not_allowed`, 429 `rate_limited`.
 */
function judging({ db, authenticateAndLimit, authenticatePublishable }: Deps) {
  const limit = limiter({ authenticateAndLimit });
  return async (ctx: Context, origin: string): Promise<string> => {
    if (ctx.path.startsWith(PUBLIC_PATHS)) {
      applyVerdict(ctx, await authenticatePublishable({ token: null, address: clientAddress(ctx) }));
      if (await isOriginOfSites(db.manager, origin)) return 'GET, POST';
      throw originRefused(origin, 'Create a publishable key for this origin in the dashboard.');
    }
    await limit(ctx, { byAddress: true, cost: PREFLIGHT });
    const site = toSite(origin);
    if (site !== null && isOfSites([site], origin) && (await isSiteOfApplications(db.manager, site)))
      return 'GET, POST, PUT, PATCH, DELETE';
    throw originRefused(
      origin,
      'Register a public OAuth client with a redirect URI of this origin in the dashboard.',
    );
  };
}

/**
 * Responds to preflights. A preflight has no token, so under `/v1/public/` the origin must be that of any
 * live publishable key, and elsewhere that of a redirect URI of any public OAuth client. Other responses
 * allow the origin if the token is one of a public client with such a redirect URI, even if the request
 * fails: its application can read errors too (docs/rules/credentials.md#applications-in-a-browser).
 */
export function crossOrigin(deps: Deps): Middleware {
  const judge = judging(deps);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PATHS)) return next();
    ctx.vary('Origin');
    const origin = ctx.get('origin');
    if (ctx.method !== 'OPTIONS' || !origin) {
      const token = origin && bearerToken(ctx.get('authorization'))?.hash;
      if (token && isOfSites(await sitesOfApplication(deps.db.manager, token), origin))
        allowOrigin(ctx, origin);
      return next();
    }
    const methods = await judge(ctx, origin);
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Allow-Methods', methods);
    ctx.set('Access-Control-Allow-Headers', SENDABLE);
    ctx.set('Access-Control-Max-Age', String(REMEMBERED_SECONDS));
    ctx.status = 204;
  };
}
