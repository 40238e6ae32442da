import { ApiError } from '../../domain/errors.js';
import { authorize, type Capability, type Scope } from '../../domain/policies.js';
import type { ApiContext, Handler } from './context.js';
import { limiter, type LimitsDependencies } from './limits.js';

/**
 * Takes the bearer token, finds who calls and counts the request: one statement. `costOf` tells what a request costs,
 * where it isn't one. Errors: 401 `auth_invalid`, 429 `rate_limited`, 403 `ip_not_allowed`.
 */
export function authenticated(
  deps: LimitsDependencies,
  costOf?: (ctx: ApiContext) => Promise<number>,
): Handler {
  const limit = limiter(deps);
  return async (ctx, next) => {
    const { principal, ip_allowed } = await limit(ctx, { cost: await costOf?.(ctx) });
    if (!principal) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', 'Send a valid API key as "Authorization: Bearer <API_KEY>".');
    }
    if (!ip_allowed) throw new ApiError('ip_not_allowed', 'This key may not be used from this address.');
    ctx.state.principal = principal;
    await next();
  };
}

/** Lets in who has the scope and whose role holds the capability. Errors: 403. */
export function may(scope: Scope, capability: Capability): Handler {
  return async (ctx, next) => {
    authorize(ctx.state.principal, scope, capability);
    await next();
  };
}
