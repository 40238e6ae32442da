import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../durations.js';

/** The time limit of an attempt, until the status of the response arrives (docs/rules/events.md#delivery). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Seconds between a failed attempt and the next one. After the last attempt, the event is dropped. */
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

/** Each delay varies by this share in either direction, to spread out retries. */
export const RETRY_JITTER = 0.1;

/** An endpoint is disabled if all attempts failed for this long (docs/rules/events.md#disabling). */
export const FAILING_SECONDS_UNTIL_DISABLED = 5 * DAY_SECONDS;

/** Why an endpoint was disabled: it responded with 410, or all attempts failed for five days. */
export type DisabledReason = 'receiver_gone' | 'receiver_failing';
