import { ApplicationFailure } from '@temporalio/common';

/**
 * How the processor can fail a call. The messages carry codes and request ids only: they end up in histories,
 * where nobody's data may be.
 */
export const failures = {
  /** A 4xx: asking again gives the same answer. */
  processorRefused: (message: string) => ApplicationFailure.nonRetryable(message, 'ProcessorRefused'),
  /** The connected account is gone, or not ours any more. */
  processorAccountUnusable: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'ProcessorAccountUnusable'),
  /** Down, slow, or busy with the same key: worth another try. */
  processorUnavailable: (message: string) => ApplicationFailure.retryable(message, 'ProcessorUnavailable'),
  /** A row that must exist doesn't. */
  referenceMissing: (message: string) => ApplicationFailure.nonRetryable(message, 'ReferenceMissing'),
};

/** True for the failure that says a connected account can't be used. */
export function isAccountUnusable(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ProcessorAccountUnusable';
}

/** True for a call that the processor refused for good, and so did nothing. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ProcessorRefused';
}
