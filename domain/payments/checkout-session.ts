import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../durations.js';

/** A checkout session lasts an hour longer than the hold, so that the end of the hold closes it. */
const SESSION_MARGIN_SECONDS = HOUR_SECONDS;

/**
 * Processors refuse sessions that expire less than 30 minutes or more than 24 hours after their start, by the
 * processor's clock. The upper bound leaves five minutes for clock skew, so the session of a 24-hour hold
 * expires five minutes before the hold ends.
 */
const SESSION_SECONDS = {
  min: 30 * MINUTE_SECONDS + SESSION_MARGIN_SECONDS,
  max: DAY_SECONDS - 5 * MINUTE_SECONDS,
};

/**
 * Returns when a session expires at the processor: after the hold it is for, or by default as late as the
 * processor allows. `now` in UTC milliseconds.
 */
export function sessionExpiry(now: number, holdSeconds: number = DAY_SECONDS): Date {
  const { min, max } = SESSION_SECONDS;
  const seconds = Math.min(Math.max(holdSeconds + SESSION_MARGIN_SECONDS, min), max);
  return new Date(now + seconds * 1_000);
}
