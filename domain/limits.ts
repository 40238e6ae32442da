/** A token bucket: its capacity in tokens, and its refill rate in tokens per minute. */
export interface Bucket {
  size: number;
  per_minute: number;
}

/**
 * The token buckets (docs/rules/api.md#rate-limits): one per key, one per workspace for calendar routes, one per
 * address without a key, and a smaller one for a caller who ignored Retry-After.
 */
export const BUCKETS = {
  token: { size: 600, per_minute: 600 },
  calendar: { size: 500, per_minute: 100 },
  address: { size: 60, per_minute: 60 },
  throttled: { size: 20, per_minute: 20 },
} as const satisfies Record<string, Bucket>;
export type Buckets = Record<keyof typeof BUCKETS, Bucket>;

/** Sizes and rates, multiplied by `scale`. A bucket holds at least one token, or it would never allow a request. */
export function scaledBuckets(scale: number): Buckets {
  const scaled = ({ size, per_minute }: Bucket): Bucket => ({
    size: Math.max(1, Math.round(size * scale)),
    per_minute: per_minute * scale,
  });
  const { token, calendar, address, throttled } = BUCKETS;
  return {
    token: scaled(token),
    calendar: scaled(calendar),
    address: scaled(address),
    throttled: scaled(throttled),
  };
}

/** Whether a path is a calendar route: bookings, availability, the feed, rooms with their blackouts. */
export const isCalendarPath = (path: string): boolean =>
  /^\/v1\/(bookings|availability|calendar\.ics|rooms)(\/|$)/.test(path);

/** The cost of a bulk call in tokens: a tenth of its operations, at least 1. */
export const bulkCost = (operations: number): number => Math.max(1, operations / 10);

/** A bucket after requests were counted: the tokens left, and how long until one more request is allowed. */
export interface BucketState extends Bucket {
  tokens: number;
  wait_ms: number;
}

/** Requests that were counted together, in order of arrival; the first `allowed` of them are allowed. */
export interface Count {
  allowed: number;
  cost: number;
  /** The caller's own bucket. */
  own: BucketState;
  /** The caller ignored Retry-After and has a smaller bucket for a while. */
  throttled: boolean;
  /** The workspace's bucket, on calendar routes. */
  calendar: BucketState | null;
}

/** What the response to one of these requests says about the limits (docs/rules/api.md#rate-limits). */
export interface Verdict {
  allowed: boolean;
  size: number;
  remaining: number;
  full_after_ms: number;
  /** How long until the request would be allowed; 0 if it was. */
  retry_after_ms: number;
}

/**
 * The verdict on request `n` (from 0). It describes the calendar bucket on calendar routes, the caller's own elsewhere,
 * the refusing one for a refused request, and always the own one for a throttled caller.
 */
export function verdictOf({ allowed, cost, own, throttled, calendar }: Count, n: number): Verdict {
  const isAllowed = n < allowed;
  const refusing = calendar && calendar.wait_ms > own.wait_ms ? calendar : own;
  const shown = throttled ? own : isAllowed ? (calendar ?? own) : refusing;
  const later = isAllowed ? (allowed - 1 - n) * cost : 0;
  const least = throttled && calendar ? Math.min(own.tokens, calendar.tokens) : shown.tokens;
  return {
    allowed: isAllowed,
    size: shown.size,
    remaining: Math.max(0, Math.floor(least + later + 1e-6)),
    full_after_ms: ((shown.size - shown.tokens - later) * 60_000) / shown.per_minute,
    retry_after_ms: isAllowed ? 0 : Math.max(1, Math.ceil(refusing.wait_ms)),
  };
}
