const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The time limit of one attempt, until the status of the response arrives (docs/rules/events.md#delivery). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Seconds between a failed attempt and the next one. After the last one the event is dropped. */
export const RETRY_DELAYS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Each delay varies by this share in either direction, so that retries spread out. */
export const RETRY_JITTER = 0.1;

/** An endpoint whose attempts have all failed for this long is disabled (docs/rules/events.md#disabling). */
export const FAILING_SECONDS_UNTIL_DISABLED = 5 * 24 * HOUR;

/** Why an endpoint was disabled: a 410 response, or five days in which all attempts failed. */
export type DisabledReason = 'receiver_gone' | 'receiver_failing';
