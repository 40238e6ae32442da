import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiContext, Handler } from './context.js';
import { limiter, type LimitsDependencies } from './limits.js';
import { withFacts } from './route-facts.js';
import { bearerToken } from './tokens.js';

/** Stays available during maintenance, so that an operator can end it early. */
const SETTINGS = '/v1/workspace';

/** The cost of authentication: less than the rounding of a bucket, so that a full bucket stays full. */
const RECOGNITION_COST = 1e-7;

/** Why a request could not be authenticated, from its `Authorization` header. */
function whyUnknown(header: string): string {
  if (header === '')
    return 'The Authorization header is missing. Send an API key as "Authorization: Bearer <API_KEY>".';
  if (!/^Bearer \S/.test(header))
    return 'The Authorization header is malformed. Send "Bearer", one space and the API key.';
  if (bearerToken(header, 'publishable'))
    return (
      'A publishable key can call only the operations under /v1/public. Send an API key: "hf_live_" ' +
      'and 36 letters and digits.'
    );
  if (!bearerToken(header))
    return (
      'The API key is malformed: it is incomplete or mistyped. A key is "hf_live_" and ' +
      '36 letters and digits.'
    );
  return (
    'The API key or access token is unknown, expired or revoked. Create or rotate a ' +
    'key in the dashboard.'
  );
}

/**
 * Reads the bearer token, finds the caller and counts the request against its limits, all in one statement
 * (docs/rules/api.md#order-of-checks). `requestCost` is the cost of the request. If it is a function, it may
 * read the body, so it is called only for known callers whose limit is not exhausted. Errors: 401
 * `auth_invalid`, 429 `rate_limited`, 403 `ip_not_allowed`, 503 `maintenance`.
 */
export function authenticated(
  deps: LimitsDependencies,
  requestCost: number | ((ctx: ApiContext, principal: Principal) => Promise<number>) = 1,
): Handler {
  const limit = limiter(deps);
  async function cost(ctx: ApiContext): Promise<number> {
    if (typeof requestCost === 'number') return requestCost;
    const { principal, ip_allowed, remaining } = await limit(ctx, { cost: RECOGNITION_COST });
    return principal && ip_allowed && remaining >= 1 ? requestCost(ctx, principal) : 1;
  }
  return withFacts({ key: true }, async (ctx, next) => {
    const { principal, ip_allowed, maintenance } = await limit(ctx, { cost: await cost(ctx) });
    if (!principal) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', whyUnknown(ctx.get('authorization')));
    }
    if (!ip_allowed)
      throw new ApiError(
        'ip_not_allowed',
        'The ip_allowlist of this key does not contain your IP address. Send the request from an ' +
          'allowed address, or use another key.',
      );
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
