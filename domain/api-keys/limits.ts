import { DAY_SECONDS, HOUR_SECONDS, MINUTE_MS } from '../durations.js';

/** A token bucket: its capacity in tokens and its refill rate in tokens per minute. */
export interface Bucket {
  size: number;
  per_minute: number;
}

/**
 * The token buckets (docs/rules/api.md#rate-limits):
 *
 * - API: one per key; two per workspace, for calendar routes and for all requests of its keys; one per
 *   address without a key; and a smaller one for callers who ignored Retry-After.
 * - Pages: three per signed-in person, for all requests, for forms, and for PDFs and exports, which cost ten
 *   tokens; two per link or checkout of a payer, for all requests and for PDFs; and one per unpaid checkout,
 *   for lookups at the processor.
 * - Processor webhooks: one per address, counted before a request is read. It is far above the processor's
 *   bursts, which come from a dozen addresses.
 * - Holds of public guests: one per address and workspace, five in ten minutes.
 * - Publishable keys: two, per key and per address, so that a website does not use up the workspace's own
 *   limits.
 * - Single sign-on: two per address, for sign-ins that begin at a provider and for refused answers of the
 *   provider.
 */
const BUCKETS = {
  token: { size: 600, per_minute: 600 },
  calendar: { size: 500, per_minute: 100 },
  address: { size: 60, per_minute: 60 },
  throttled: { size: 20, per_minute: 20 },
  workspace: { size: 6_000, per_minute: 6_000 },
  page: { size: 120, per_minute: 120 },
  form: { size: 20, per_minute: 20 },
  link: { size: 60, per_minute: 60 },
  document: { size: 6, per_minute: 6 },
  page_document: { size: 12, per_minute: 12 },
  look: { size: 1, per_minute: 20 },
  webhook: { size: 6_000, per_minute: 6_000 },
  hold: { size: 5, per_minute: 0.5 },
  public_key: { size: 600, per_minute: 600 },
  public_address: { size: 60, per_minute: 60 },
  sso: { size: 30, per_minute: 30 },
} as const satisfies Record<string, Bucket>;
export type Buckets = Record<keyof typeof BUCKETS, Bucket>;

/**
 * Sizes and rates, multiplied by `scale`. A bucket holds at least one token, or it
 * would never allow a request.
 */
export function scaledBuckets(scale: number): Buckets {
  const scaled = ({ size, per_minute }: Bucket): Bucket => ({
    size: Math.max(1, Math.round(size * scale)),
    per_minute: per_minute * scale,
  });
  const entries = Object.entries(BUCKETS).map(([name, bucket]) => [name, scaled(bucket)]);
  return Object.fromEntries(entries) as Buckets;
}

/**
 * True if an address with this many tokens left for holds needs a proof of work for the next one: after two
 * of five holds, until its bucket is (almost) full again.
 */
export const isConspicuous = (tokens: number, { size }: Bucket): boolean => tokens < size * 0.8 - 1e-6;

/** At most `count` in any period of `seconds`. */
export interface Quota {
  count: number;
  seconds: number;
}

/** Returns a bucket that holds a quota and refills it over the quota's period. */
export const toBucket = ({ count, seconds }: Quota): Bucket => ({
  size: count,
  per_minute: (60 * count) / seconds,
});

/**
 * The limits of mail (docs/rules/mail.md#limits):
 *
 * - `recipient`: one kind of mail to one address.
 * - `link_*`: sign-in links to one address.
 * - `workspace`: all mail of a workspace.
 * - `requester`: mail that one key or person requests, half of the workspace's.
 * - `new_recipients`: addresses to which a workspace sends mail for the first time.
 * - `public_guest_recipients`: those of them that public guests entered on the booking page, a half.
 * - `refused_recipients`: those of them that refuse mail, a twentieth.
 */
const MAIL_QUOTAS = {
  recipient: { count: 1, seconds: 600 },
  link_minute: { count: 1, seconds: 60 },
  link_hour: { count: 5, seconds: HOUR_SECONDS },
  workspace: { count: 2_000, seconds: DAY_SECONDS },
  requester: { count: 1_000, seconds: DAY_SECONDS },
  new_recipients: { count: 500, seconds: DAY_SECONDS },
  public_guest_recipients: { count: 250, seconds: DAY_SECONDS },
  refused_recipients: { count: 25, seconds: DAY_SECONDS },
} as const satisfies Record<string, Quota>;
export type MailQuotas = Record<keyof typeof MAIL_QUOTAS, Quota>;

/**
 * The limits of mail, multiplied by `scale`. A quota of less than one mail becomes one mail in a longer
 * period.
 */
export function scaledMailQuotas(scale: number): MailQuotas {
  const scaled = ({ count, seconds }: Quota): Quota => {
    const atLeastOne = Math.max(1, Math.round(count * scale));
    return { count: atLeastOne, seconds: count * scale < 1 ? seconds / (count * scale) : seconds };
  };
  const entries = Object.entries(MAIL_QUOTAS).map(([name, quota]) => [name, scaled(quota)]);
  return Object.fromEntries(entries) as MailQuotas;
}

/** True if a path is a calendar route: bookings, availability, the feed, and rooms with their blackouts. */
export const isCalendarPath = (path: string): boolean =>
  /^\/v1\/(bookings|quotes|availability|calendar\.ics|rooms)(\/|$)/.test(path);

/** Returns the cost of a bulk call in tokens: a tenth of its operations, at least 1. */
export const bulkCost = (operations: number): number => Math.max(1, operations / 10);

/**
 * Returns what an availability request costs in addition to its own token: one token for each ten rooms and
 * 31 days.
 */
export const availabilityCost = (rooms: number, days: number): number => Math.floor((rooms * days) / 310);

/** The cost of a request that renders a PDF, which takes at least ten times as long as other requests. */
export const PDF_COST = 10;

/** A bucket after requests were counted: the tokens left, and the time until one more request is allowed. */
export interface BucketState extends Bucket {
  tokens: number;
  wait_ms: number;
}

/** Requests that were counted together, in order of arrival. The first `allowed` of them are allowed. */
export interface Count {
  allowed: number;
  cost: number;
  own: BucketState;
  /** The caller ignored Retry-After and has a smaller bucket for some time. */
  throttled: boolean;
  /** The workspace's bucket for calendar routes; null on other routes. */
  calendar: BucketState | null;
  /** The workspace's bucket for all requests of its keys. */
  workspace: BucketState | null;
}

/** What the response to one of these requests says about the limits (docs/rules/api.md#rate-limits). */
export interface Verdict {
  allowed: boolean;
  size: number;
  remaining: number;
  full_after_ms: number;
  /** The time until the request would be allowed; 0 if it was allowed. */
  retry_after_ms: number;
}

/**
 * Returns the verdict on request `n` (from 0). It describes the calendar bucket on calendar routes and the
 * caller's own bucket elsewhere. A refused request gets the bucket that refused it, and a throttled caller
 * always gets their own.
 */
export function toVerdict({ allowed, cost, own, throttled, calendar, workspace }: Count, n: number): Verdict {
  const isAllowed = n < allowed;
  const refusing = [own, calendar, workspace].reduce<BucketState>(
    (slowest, bucket) => (bucket && bucket.wait_ms > slowest.wait_ms ? bucket : slowest),
    own,
  );
  const shown = throttled ? own : isAllowed ? (calendar ?? own) : refusing;
  const later = isAllowed ? (allowed - 1 - n) * cost : 0;
  const least = throttled && calendar ? Math.min(own.tokens, calendar.tokens) : shown.tokens;
  return {
    allowed: isAllowed,
    size: shown.size,
    remaining: Math.max(0, Math.floor(least + later + 1e-6)),
    full_after_ms: ((shown.size - shown.tokens - later) * MINUTE_MS) / shown.per_minute,
    retry_after_ms: isAllowed ? 0 : Math.max(1, Math.ceil(refusing.wait_ms)),
  };
}

/** Returns the verdict on a request that counts against a single bucket. */
export const verdictOn = ({ size, per_minute, tokens, wait_ms }: BucketState): Verdict => ({
  allowed: wait_ms === 0,
  size,
  remaining: Math.max(0, Math.floor(tokens + 1e-6)),
  full_after_ms: ((size - tokens) * MINUTE_MS) / per_minute,
  retry_after_ms: wait_ms,
});
