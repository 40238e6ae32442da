import { ApplicationFailure } from '@temporalio/common';
import type { RefusalCode } from '../contract/payments/checkouts.js';
import { findActivityFailure } from './in-task.js';

/**
 * Returns the code for a page that the processor did not open. Rethrows an error that is not the failure of
 * an activity.
 */
export function toRefusalCode(error: unknown): RefusalCode {
  const failure = findActivityFailure(error);
  if (!failure) throw error;
  if (!(failure instanceof ApplicationFailure)) return 'processor_error';
  if (failure.type === 'ProcessorAccountUnusable') return 'processor_unconfigured';
  if (failure.type === 'PaymentsPaused') return 'service_unavailable';
  return failure.details?.[0] === 'amount_too_small' ? 'amount_too_small' : 'processor_error';
}
