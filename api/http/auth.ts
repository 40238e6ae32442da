import { ApiError } from '../../domain/errors.js';
import { authorize, type Capability, type Scope } from '../../domain/policies.js';
import type { ApiContext, Handler } from './context.js';
import { limiter, type LimitsDependencies } from './limits.js';
import { withFacts } from './route-facts.js';
import { bearerToken } from './tokens.js';

/** Stays available during maintenance, so that an operator can end it early. */
const SETTINGS = '/v1/workspace';

/** Why a request has no caller, by its `Authorization` header. */
function whyUnknown(header: string): string {
  if (header === '')
    return 'The Authorization header is missing. Send an API key as "Authorization: Bearer <API_KEY>".';
  if (!/^Bearer \S/.test(header))
    return 'The Authorization header is malformed. It must be "Bearer", one space and the API key.';
  if (!bearerToken(header))
    return 'The API key is malformed: it is incomplete or mistyped. A key is "hf_live_" and 36 letters and digits.';
  return 'The API key or access token is unknown, expired or revoked. Create or rotate a key in the dashboard.';
}

/**
 * Reads the bearer token, finds the caller and counts the request against its limits, all in one statement
 * (docs/rules/api.md#order-of-checks). `costOf` gives the cost of a request that does not cost 1. Errors: 401
 * `auth_invalid`, 429 `rate_limited`, 403 `ip_not_allowed`, 503 `maintenance`.
 */
export function authenticated(
  deps: LimitsDependencies,
  costOf?: (ctx: ApiContext) => Promise<number>,
): Handler {
  const limit = limiter(deps);
  return withFacts({ key: true }, async (ctx, next) => {
    const { principal, ip_allowed, maintenance } = await limit(ctx, { cost: await costOf?.(ctx) });
    if (!principal) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', whyUnknown(ctx.get('authorization')));
    }
    if (!ip_allowed)
      throw new ApiError('ip_not_allowed', 'The ip_allowlist of this key does not contain your IP address.');
    if (maintenance && maintenance.starts_at.getTime() <= Date.now() && ctx.path !== SETTINGS) {
      const { ends_at } = maintenance;
      const message = `This workspace is under maintenance until ${ends_at.toISOString()}.`;
      throw new ApiError('maintenance', message, {
        retry_after_ms: Math.max(1, ends_at.getTime() - Date.now()),
      });
    }
    ctx.state.principal = principal;
    await next();
  });
}

/** Requires a scope of the key and a capability of its member's role. Errors: 403. */
export function requires(scope: Scope, capability: Capability): Handler {
  return withFacts({ scope, capability }, async (ctx, next) => {
    authorize(ctx.state.principal, scope, capability);
    await next();
  });
}
