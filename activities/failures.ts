import { ApplicationFailure, type Duration } from '@temporalio/common';
import type { FailureType } from '../contract/run-details.js';

/**
 * How calls to the processor and the accounting system fail. Messages contain only codes and request ids,
 * because they end up in workflow histories, which contain no personal data
 * (docs/internals/architecture.md#personal-data).
 */
export const failures = {
  /**
   * The request itself was refused: nothing was done, and a retry gets the same response. `code` is the
   * processor's code.
   */
  processorRefused: (message: string, code?: string) =>
    ApplicationFailure.nonRetryable(
      message,
      'ProcessorRefused' satisfies FailureType,
      ...(code ? [code] : []),
    ),
  /** The processor reports that the connected account no longer exists or is no longer connected to us. */
  processorAccountUnusable: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'ProcessorAccountUnusable' satisfies FailureType),
  /**
   * The processor refuses the platform's own key or blocks the platform. This says nothing about the account
   * or the payment: the outcome is unknown until the operator of the platform has fixed it.
   */
  processorKeyRefused: (message: string) =>
    ApplicationFailure.retryable(
      `${message}. Check STRIPE_SECRET_KEY and its permissions: this concerns every workspace`,
      'ProcessorKeyRefused' satisfies FailureType,
    ),
  /**
   * Facts about the account may be missing here. They are read first, so that nothing is charged or refunded
   * twice.
   */
  paymentsPaused: (account: string, since: Date) =>
    ApplicationFailure.retryable(
      `Payments are paused: facts of account ${account} since ${since.toISOString()} are being read`,
      'PaymentsPaused' satisfies FailureType,
    ),
  /** The processor is down, slow, or still processing the same idempotency key: worth a retry. */
  processorUnavailable: (message: string) =>
    ApplicationFailure.retryable(message, 'ProcessorUnavailable' satisfies FailureType),
  /** The organisation is no longer connected: an operator must connect it again. */
  accountingDisconnected: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'AccountingDisconnected' satisfies FailureType),
  /**
   * The accounting system is down or slow, the access token has expired, or a worker is writing the same
   * invoice: worth a retry.
   */
  accountingUnavailable: (message: string, nextRetryDelay?: Duration) =>
    ApplicationFailure.create({
      message,
      type: 'AccountingUnavailable' satisfies FailureType,
      nonRetryable: false,
      nextRetryDelay,
    }),
  /**
   * The calls are rate limited. Retried after the delay in the response, unless the daily limit was reached.
   */
  accountingRateLimited: (limit: string, retryAfterSeconds: number) =>
    ApplicationFailure.create({
      message: `${limit} limit, ${retryAfterSeconds} s`,
      type: 'AccountingRateLimited' satisfies FailureType,
      nonRetryable: limit === 'day',
      nextRetryDelay: `${retryAfterSeconds} s`,
      details: [{ limit, retryAfterSeconds }],
    }),
  /** A row that must exist is missing. */
  referenceMissing: (message: string) =>
    ApplicationFailure.nonRetryable(message, 'ReferenceMissing' satisfies FailureType),
};

/** True for the failure of an unusable connected account. */
export function isAccountUnusable(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ProcessorAccountUnusable';
}

/** True for a call that the processor refused: nothing happened, and a retry is pointless. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ProcessorRefused';
}

/**
 * A write that the accounting system refused: nothing was written, and a retry is pointless. `reason` is its
 * text, which may contain personal data. It is stored on the invoice for operators and kept out of histories.
 */
export class AccountingRefusal extends ApplicationFailure {
  constructor(
    message: string,
    readonly reason: string,
    /** The HTTP status; null if nothing was sent. */
    readonly status: number | null = null,
  ) {
    super(message, 'AccountingRefused' satisfies FailureType, true);
  }
}

/** Returns the limit and the seconds to wait if a call was rate limited. */
export function readRateLimit(error: unknown): { limit: string; retryAfterSeconds: number } | undefined {
  if (!(error instanceof ApplicationFailure) || error.type !== 'AccountingRateLimited') return undefined;
  return error.details?.[0] as { limit: string; retryAfterSeconds: number };
}

/** Returns when calls are possible again, if the calls of the day are used up. */
export function readDayLimit(error: unknown): { until: Date } | undefined {
  const limit = readRateLimit(error);
  if (limit?.limit !== 'day') return undefined;
  return { until: new Date(Date.now() + limit.retryAfterSeconds * 1000) };
}

/** True for the failure of an organisation that is no longer connected. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'AccountingDisconnected';
}
