import type { Context, Middleware } from 'koa';
import { isOriginOfSites } from '../../db/queries/access/api-key.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';
import { applyVerdict } from './limits.js';
import { withFacts } from './route-facts.js';
import { bearerToken } from './tokens.js';

/** The operations that take publishable keys, and no other path. */
const PATHS = '/v1/public/';

/** How long browsers remember that a site may ask, in seconds: the longest that they accept. */
const REMEMBERED_SECONDS = 7_200;

/** Response headers that scripts of a site can read beside those that all can. */
const READABLE = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, x-request-id';

/** Request headers that scripts of a site may send: also those of tools that trace requests, which a browser asks for as well. */
const SENDABLE =
  'Authorization, Content-Type, Idempotency-Key, baggage, sentry-trace, traceparent, tracestate';

const refused = (origin: string): ApiError =>
  new ApiError(
    'origin_not_allowed',
    `No publishable key may be used from ${origin.slice(0, 200)}. Create one for this origin in the dashboard.`,
  );

/** Lets scripts of a site read the response. Without credentials: nothing here depends on a cookie. */
function allow(ctx: Context, origin: string): void {
  ctx.set('Access-Control-Allow-Origin', origin);
}

/**
 * Answers preflights for `/v1/public/`: a browser asks whether a site may send a request before it sends the key, so the origin
 * must be one of any live publishable key. Counts against the client's address. Errors: 403 `origin_not_allowed`, 429
 * `rate_limited`.
 */
export function preflights({
  db,
  authenticatePublishable,
}: Pick<ApiDependencies, 'db' | 'authenticatePublishable'>): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(PATHS)) return next();
    ctx.vary('Origin');
    const origin = ctx.get('origin');
    if (ctx.method !== 'OPTIONS' || !origin) return next();
    const decision = await authenticatePublishable({ token: null, address: clientAddress(ctx) });
    applyVerdict(ctx, decision);
    if (!(await isOriginOfSites(db.manager, origin))) throw refused(origin);
    allow(ctx, origin);
    ctx.set('Access-Control-Allow-Methods', 'GET, POST');
    ctx.set('Access-Control-Allow-Headers', SENDABLE);
    ctx.set('Access-Control-Max-Age', String(REMEMBERED_SECONDS));
    ctx.status = 204;
  };
}

/** Why a request has no site, by its `Authorization` header. */
function whyUnknown(header: string): string {
  if (header === '')
    return 'The Authorization header is missing. Send a publishable key as "Authorization: Bearer <KEY>".';
  if (bearerToken(header))
    return 'This is a secret API key. It must not be in a web site: revoke it if it is in one. Send a publishable key: "hf_pub_" and 36 letters and digits.';
  if (!bearerToken(header, 'publishable'))
    return 'The key is malformed. A publishable key is "hf_pub_" and 36 letters and digits.';
  return 'The publishable key is unknown or revoked. Create one in the dashboard.';
}

/**
 * Requires a publishable key, and if the request comes from a page of a web site that it is one of the key's. Counts the request
 * against buckets of the key and the client's address, never against those of the workspace. Errors: 401 `auth_invalid`, 429 `rate_limited`,
 * 403 `origin_not_allowed`, 503 `maintenance`.
 */
export function publishable({
  authenticatePublishable,
}: Pick<ApiDependencies, 'authenticatePublishable'>): Handler {
  return withFacts({ publishable: true }, async (ctx, next) => {
    const header = ctx.get('authorization');
    const token = bearerToken(header, 'publishable')?.hash ?? null;
    const decision = await authenticatePublishable({ token, address: clientAddress(ctx) });
    const { site, maintenance } = decision;
    const origin = ctx.get('origin');
    const isAllowed = site !== null && site.origins.includes(origin);
    // Before any error about the key or the request, so that the site can read that too.
    if (isAllowed) {
      allow(ctx, origin);
      ctx.set('Access-Control-Expose-Headers', READABLE);
    }
    applyVerdict(ctx, decision);
    if (!site) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', whyUnknown(header));
    }
    if (origin && !isAllowed) throw refused(origin);
    if (maintenance && maintenance.starts_at.getTime() <= Date.now()) {
      const { ends_at } = maintenance;
      const message = `Online booking is closed for maintenance until ${ends_at.toISOString()}.`;
      throw new ApiError('maintenance', message, {
        retry_after_ms: Math.max(1, ends_at.getTime() - Date.now()),
      });
    }
    ctx.state.site = site;
    await next();
  });
}
