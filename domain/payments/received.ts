import { MINUTE_MS } from '../durations.js';
import { invalidField } from '../errors.js';

/** How far `paid_at` may be ahead of the clock of the process. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Throws 422 if `paid_at` is in the future. */
export function assertReceived(paid_at: Date, now: Date): void {
  if (paid_at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    throw invalidField('paid_at', 'must not be in the future');
}
