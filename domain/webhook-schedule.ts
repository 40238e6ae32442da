const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How long one attempt may take until the receiver's status is there (decisions.md, "Events"). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Seconds from a failed attempt to the next: after the first, the second, and so on. Then an event is given up. */
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

/** Each delay is this share longer or shorter, so that what failed together does not come back together. */
export const RETRY_JITTER = 0.1;

/** An endpoint that has only failed for so long is disabled. */
export const FAILING_SECONDS_UNTIL_DISABLED = 5 * 24 * HOUR;

/** Why an endpoint was disabled: it answered 410, or it has only failed for five days. */
export type DisabledReason = 'receiver_gone' | 'receiver_failing';
