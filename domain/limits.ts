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

/** Sizes and rates, all multiplied by `scale`. A bucket always holds one, or nothing would ever pass. */
export function scaledBuckets(scale: number): Record<keyof typeof BUCKETS, Bucket> {
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
