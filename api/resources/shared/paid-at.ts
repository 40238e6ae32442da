import { MINUTE_MS } from '../../../domain/durations.js';
import { invalidField } from '../../../domain/errors.js';

/** How far `paid_at` may be ahead of this process's clock. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Throws 422 if a payment was received in the future. */
export function assertReceived(paid_at: Date): void {
  if (paid_at.getTime() > Date.now() + CLOCK_TOLERANCE_MS)
    throw invalidField('paid_at', 'must not be in the future');
}
