import { MINUTE_MS } from '../durations.js';
import { invalidField } from '../errors.js';

/** How far `paid_at` may be ahead of the clock of a process. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Throws 422 if a payment was received in the future. */
export function assertReceived(paid_at: Date, now: Date): void {
  if (paid_at.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    throw invalidField('paid_at', 'must not be in the future');
}
