import type { Context } from 'koa';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../db/pool.js';
import { admit, bucketsParameter, type Admission } from '../../db/repositories/admissions.js';
import { ApiError, type ErrorCode } from '../../domain/errors.js';
import { isCalendarPath, scaledBuckets } from '../../domain/limits.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';
import { bearerToken } from './tokens.js';

export interface LimitsDependencies {
  db: DataSource;
  /** Multiplies every bucket and rate. */
  rateLimitScale: number;
}

function setHeaders(ctx: Context, { size, remaining, full_after_ms }: Admission): void {
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
export type Limiter = (ctx: Context, counting?: Counting) => Promise<Admission>;

export function limiter({ db, rateLimitScale }: LimitsDependencies): Limiter {
  const pool = poolOf(db);
  const buckets = bucketsParameter(scaledBuckets(rateLimitScale));
  return async (ctx, { cost = 1, byAddress = false } = {}) => {
    const request = {
      token: byAddress ? null : (bearerToken(ctx.get('authorization'))?.hash ?? null),
      address: clientAddress(ctx),
      calendar: isCalendarPath(ctx.path),
      cost,
    };
    const admission = await admit(pool, request, buckets);
    setHeaders(ctx, admission);
    if (!admission.admitted) {
      const { retry_after_ms } = admission;
      throw new ApiError('rate_limited', 'Too many requests: wait for as long as Retry-After says.', {
        retry_after_ms,
      });
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
