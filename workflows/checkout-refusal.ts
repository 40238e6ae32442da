import { ApplicationFailure, type ActivityFailure } from '@temporalio/common';
import type { RefusalCode } from './contract.js';

/** The code of a checkout that the processor did not open. */
export function refusalCodeOf({ cause }: ActivityFailure): RefusalCode {
  if (!(cause instanceof ApplicationFailure)) return 'processor_error';
  if (cause.type === 'ProcessorAccountUnusable') return 'processor_unconfigured';
  return cause.details?.[0] === 'amount_too_small' ? 'amount_too_small' : 'processor_error';
}
