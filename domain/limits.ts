/** A token bucket: how many it holds, and how many come back each minute. */
export interface Bucket {
  size: number;
  per_minute: number;
}

/** decisions.md, "Limits": a key's own bucket, its workspace's on calendar routes, an address without a key, an offender's. */
export const BUCKETS = {
  token: { size: 600, per_minute: 600 },
  calendar: { size: 500, per_minute: 100 },
  address: { size: 60, per_minute: 60 },
  throttled: { size: 20, per_minute: 20 },
} as const satisfies Record<string, Bucket>;
export type Buckets = Record<keyof typeof BUCKETS, Bucket>;

/** Sizes and rates, all multiplied by `scale`. A bucket always holds one, or nothing would ever pass. */
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

/** Whether a path is one of the calendar's: bookings, availability, the feed, rooms with their blackouts. */
export const isCalendarPath = (path: string): boolean =>
  /^\/v1\/(bookings|availability|calendar\.ics|rooms)(\/|$)/.test(path);

/** What a bulk call costs: a tenth of its operations, at least what any other call does. */
export const bulkCost = (operations: number): number => Math.max(1, operations / 10);

/** A bucket after some requests, each of the same cost, have been counted: what is left, and how long until one more fits. */
export interface Standing extends Bucket {
  tokens: number;
  wait_ms: number;
}

/** Requests that were counted together, in the order they came; the first `admitted` were let in. */
export interface Count {
  admitted: number;
  cost: number;
  /** The caller's own bucket, and whether it is an offender's. */
  own: Standing;
  throttled: boolean;
  /** The workspace's, on calendar routes. */
  calendar: Standing | null;
}

/** What the answer to one of them says of the limits (spec.md, "Limits"). */
export interface Verdict {
  admitted: boolean;
  size: number;
  remaining: number;
  full_after_ms: number;
  /** How long until the request can be let in; 0 if it was. */
  retry_after_ms: number;
}

/**
 * What request `n` (from 0) is told: of the calendar bucket on calendar routes, of the own one elsewhere, of the one
 * that refused, and of an offender's whatever else there is.
 */
export function verdictOf({ admitted, cost, own, throttled, calendar }: Count, n: number): Verdict {
  const isIn = n < admitted;
  const refusing = calendar && calendar.wait_ms > own.wait_ms ? calendar : own;
  const told = throttled ? own : isIn ? (calendar ?? own) : refusing;
  const later = isIn ? (admitted - 1 - n) * cost : 0;
  const least = throttled && calendar ? Math.min(own.tokens, calendar.tokens) : told.tokens;
  return {
    admitted: isIn,
    size: told.size,
    remaining: Math.max(0, Math.floor(least + later + 1e-6)),
    full_after_ms: ((told.size - told.tokens - later) * 60_000) / told.per_minute,
    retry_after_ms: isIn ? 0 : Math.max(1, Math.ceil(refusing.wait_ms)),
  };
}
