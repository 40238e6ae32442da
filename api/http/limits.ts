import type { Context } from 'koa';
import type {
  AuthenticateAndLimit,
  RequestDecision,
} from '../../db/repositories/access/authenticate-and-limit.js';
import { ApiError, type ErrorCode } from '../../domain/errors.js';
import { isCalendarPath } from '../../domain/limits.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';
import { bearerToken } from './tokens.js';

export interface LimitsDependencies {
  admit: AuthenticateAndLimit;
}

function setHeaders(ctx: Context, { size, remaining, full_after_ms }: RequestDecision): void {
  ctx.set('X-RateLimit-Limit', String(size));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + full_after_ms) / 1000)));
}

/** What a route answers to whom it doesn't know. */
const UNKNOWN = new Set<ErrorCode>(['auth_invalid', 'not_found']);

interface Counting {
  /** What the request costs; 1 unless told. */
  cost?: number;
  /** Counts it against the client's address, whatever token it may have. */
  byAddress?: boolean;
}

/** Counts a request against its buckets, and gives it the headers of spec.md, "Limits". Errors: 429 `rate_limited`. */
export type Limiter = (ctx: Context, counting?: Counting) => Promise<RequestDecision>;

export function limiter({ admit }: LimitsDependencies): Limiter {
  return async (ctx, { cost = 1, byAddress = false } = {}) => {
    const admission = await admit({
      token: byAddress ? null : (bearerToken(ctx.get('authorization'))?.hash ?? null),
      address: clientAddress(ctx),
      calendar: isCalendarPath(ctx.path),
      cost,
    });
    setHeaders(ctx, admission);
    if (!admission.allowed) {
      const { retry_after_ms } = admission;
      const message = 'Too many requests: wait for as long as Retry-After says.';
      throw new ApiError('rate_limited', message, { retry_after_ms });
    }
    return admission;
  };
}

/**
 * For a route that knows its callers by something else than a key, and does not limit them: whom it doesn't know counts
 * against their address.
 */
export function limitUnknown(deps: LimitsDependencies): Handler {
  const limit = limiter(deps);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ApiError && UNKNOWN.has(error.code)) await limit(ctx, { byAddress: true });
      throw error;
    }
  };
}
