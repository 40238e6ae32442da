import { ApiError } from '../../domain/errors.js';
import { authorize, type Capability, type Scope } from '../../domain/policies.js';
import type { ApiContext, Handler } from './context.js';
import { limiter, type LimitsDependencies } from './limits.js';
import { stating } from './route-facts.js';

/** Where an operator ends a maintenance before its time. */
const SETTINGS = '/v1/workspace';

/**
 * Takes the bearer token, finds who calls and counts the request: one statement. `costOf` tells what a request costs,
 * where it isn't one. Errors: 401 `auth_invalid`, 429 `rate_limited`, 403 `ip_not_allowed`, 503
 * `maintenance`.
 */
export function authenticated(
  deps: LimitsDependencies,
  costOf?: (ctx: ApiContext) => Promise<number>,
): Handler {
  const limit = limiter(deps);
  return stating({ key: true }, async (ctx, next) => {
    const { principal, ip_allowed, maintenance_until } = await limit(ctx, { cost: await costOf?.(ctx) });
    if (!principal) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', 'Send a valid API key as "Authorization: Bearer <API_KEY>".');
    }
    if (!ip_allowed) throw new ApiError('ip_not_allowed', 'This key may not be used from this address.');
    if (maintenance_until && ctx.path !== SETTINGS) {
      const message = `This workspace is under maintenance until ${maintenance_until.toISOString()}.`;
      throw new ApiError('maintenance', message, {
        retry_after_ms: Math.max(1, maintenance_until.getTime() - Date.now()),
      });
    }
    ctx.state.principal = principal;
    await next();
  });
}

/** Lets in who has the scope and whose role holds the capability. Errors: 403. */
export function may(scope: Scope, capability: Capability): Handler {
  return stating({ scope, capability }, async (ctx, next) => {
    authorize(ctx.state.principal, scope, capability);
    await next();
  });
}
