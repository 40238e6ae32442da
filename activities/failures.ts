import { ApplicationFailure, type Duration } from '@temporalio/common';

/**
 * How the processor and the accounting system can fail a call. The messages carry codes and request ids only: they end
 * up in histories, where nobody's data may be.
 */
export const failures = {
  /** A 4xx: asking again gives the same answer. */
  processorRefused: (message: string) => ApplicationFailure.nonRetryable(message, 'ProcessorRefused'),
  /** The connected account is gone, or not ours any more. */
  processorAccountUnusable: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'ProcessorAccountUnusable'),
  /** Down, slow, or busy with the same key: worth another try. */
  processorUnavailable: (message: string) => ApplicationFailure.retryable(message, 'ProcessorUnavailable'),
  /** The organisation is not connected any more, or not far enough: somebody must connect it again. */
  accountingDisconnected: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'AccountingDisconnected'),
  /** Down, slow, or the access token has run out meanwhile: worth another try. */
  accountingUnavailable: (message: string, nextRetryDelay?: Duration) =>
    ApplicationFailure.create({
      message,
      type: 'AccountingUnavailable',
      nonRetryable: false,
      nextRetryDelay,
    }),
  /** Too many calls: another try when the minute is over. A day's limit is not worth waiting for here. */
  accountingRateLimited: (limit: string, retryAfterSeconds: number) =>
    ApplicationFailure.create({
      message: `${limit} limit, ${retryAfterSeconds} s`,
      type: 'AccountingRateLimited',
      nonRetryable: limit === 'day',
      nextRetryDelay: `${retryAfterSeconds} s`,
      details: [{ limit, retryAfterSeconds }],
    }),
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

/**
 * A write the accounting system refused for good, and so did not do. `reason` has its own words, which may name people:
 * it is for the row an operator looks at, and does not get into a history.
 */
export class AccountingRefusal extends ApplicationFailure {
  constructor(
    message: string,
    readonly reason: string,
    /** The HTTP status; null for what was never sent. */
    readonly status: number | null = null,
  ) {
    super(message, 'AccountingRefused', true);
  }
}

/** The limit that was met and the seconds to wait, where a call failed for too many calls. */
export function rateLimitOf(error: unknown): { limit: string; retryAfterSeconds: number } | undefined {
  if (!(error instanceof ApplicationFailure) || error.type !== 'AccountingRateLimited') return undefined;
  return error.details?.[0] as { limit: string; retryAfterSeconds: number };
}

/** True for the failure that says that an organisation's books cannot be entered any more. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'AccountingDisconnected';
}
