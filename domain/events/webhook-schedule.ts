import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../durations.js';

/**
 * The time limit of one attempt, until the status of the response arrives (docs/rules/events.md#delivery).
 */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Seconds between a failed attempt and the next one. After the last one the event is dropped. */
export const RETRY_DELAYS_SECONDS = [
  5,
  5 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  5 * HOUR_SECONDS,
  10 * HOUR_SECONDS,
  14 * HOUR_SECONDS,
  20 * HOUR_SECONDS,
  DAY_SECONDS,
] as const;

/** Each delay varies by this share in either direction, so that retries spread out. */
export const RETRY_JITTER = 0.1;

/** An endpoint whose attempts have all failed for this long is disabled (docs/rules/events.md#disabling). */
export const FAILING_SECONDS_UNTIL_DISABLED = 5 * DAY_SECONDS;

/** Why an endpoint was disabled: a 410 response, or five days in which all attempts failed. */
export type DisabledReason = 'receiver_gone' | 'receiver_failing';
