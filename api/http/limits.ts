import type { Context } from 'koa';
import type {
  RequestDecision,
  AuthenticateAndLimit,
} from '../../commands/api-keys/authenticate-and-limit.js';
import { ApiError, type ErrorCode } from '../../domain/errors.js';
import { isCalendarPath, verdictOn, type BucketState, type Verdict } from '../../domain/api-keys/limits.js';
import type { Maintenance } from '../../domain/workspaces/settings.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';
import { bearerToken } from './tokens.js';

export interface LimitsDependencies {
  authenticateAndLimit: AuthenticateAndLimit;
}

/** Sets the rate limit headers. Errors: 429 `rate_limited` if the request is not allowed. */
export function applyVerdict(ctx: Context, decision: Verdict & { maintenance: Maintenance | null }): void {
  setHeaders(ctx, decision);
  if (decision.allowed) return;
  const { retry_after_ms } = decision;
  throw new ApiError(
    'rate_limited',
    'Too many requests. Retry after the number of seconds in the Retry-After header.',
    { retry_after_ms },
  );
}

/**
 * Sets the rate limit headers by the bucket of a page or a webhook, after a token was taken from it. Errors:
 * 429 `rate_limited` if there was none.
 */
export function applyBucket(ctx: Context, bucket: BucketState): void {
  const verdict = verdictOn(bucket);
  setLimits(ctx, verdict);
  const { retry_after_ms } = verdict;
  if (retry_after_ms === 0) return;
  const seconds = Math.ceil(retry_after_ms / 1000);
  throw new ApiError('rate_limited', `Too many requests. Try again in ${seconds} s.`, { retry_after_ms });
}

function setHeaders(
  ctx: Context,
  { maintenance, ...verdict }: Verdict & { maintenance: Maintenance | null },
): void {
  if (maintenance) {
    const { starts_at, ends_at } = maintenance;
    ctx.set('Service-Maintenance', `${starts_at.toISOString()}/${ends_at.toISOString()}`);
  }
  setLimits(ctx, verdict);
}

function setLimits(ctx: Context, { size, remaining, full_after_ms }: Verdict): void {
  ctx.set('X-RateLimit-Limit', String(size));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + full_after_ms) / 1000)));
}

/** The error codes of routes that do not recognize their caller. */
const UNKNOWN_CALLER = new Set<ErrorCode>(['auth_invalid', 'not_found']);

interface Counting {
  /** The cost of the request; 1 by default. */
  cost?: number;
  /** Counts the request against the client's address even if it carries a token. */
  byAddress?: boolean;
}

/**
 * Counts a request against its buckets and sets the rate limit headers (docs/rules/api.md#rate-limits).
 * Errors: 429 `rate_limited`.
 */
export type Limiter = (ctx: Context, counting?: Counting) => Promise<RequestDecision>;

export function limiter({ authenticateAndLimit }: LimitsDependencies): Limiter {
  return async (ctx, { cost = 1, byAddress = false } = {}) => {
    const decision = await authenticateAndLimit({
      token: byAddress ? null : (bearerToken(ctx.get('authorization'))?.hash ?? null),
      address: clientAddress(ctx),
      calendar: isCalendarPath(ctx.path),
      cost,
    });
    applyVerdict(ctx, decision);
    return decision;
  };
}

/** Counts every request of a route that takes no key. */
export function limited(deps: LimitsDependencies, counting?: Counting): Handler {
  const limit = limiter(deps);
  return async (ctx, next) => {
    await limit(ctx, counting);
    await next();
  };
}

/**
 * For routes that authenticate their callers by something other than a key and do not limit them: requests of
 * unknown callers count against their address.
 */
export function limitUnknown(deps: LimitsDependencies): Handler {
  const limit = limiter(deps);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError && UNKNOWN_CALLER.has(error.code)) await limit(ctx, { byAddress: true });
      throw error;
    }
  };
}
