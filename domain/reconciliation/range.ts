import { DAY_MS } from '../durations.js';
import { ApiError } from '../errors.js';

const MAX_DAYS = 92;

/** Throws 422 if a time range is empty or longer than 92 days. */
export function assertRange({ from, to }: { from: Date; to: Date }): void {
  if (to > from && to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS) return;
  const message = `to must be after from, and at most ${MAX_DAYS} days later.`;
  throw new ApiError('validation_failed', message, { param: 'to' });
}
