import { FAILURE_TYPES, type FailureType } from '../../../../contract/run-details.js';

/** What a failure means and what to do about it (docs/guides/runbook.md#needs-attention). */
type Meaning = readonly [means: string, todo: string];

const UNAVAILABLE: Meaning = [
  'Stripe is unavailable: it does not respond, or reports an internal error.',
  'This is retried until it succeeds. If Stripe reports no outage, contact its support.',
];
const ACCOUNTING: Meaning = [
  'The accounting system is unavailable, or rejected the request.',
  'This is retried. If the technical details show a reason, fix it in the accounting system.',
];

const MEANINGS: Record<FailureType, Meaning> = {
  ProcessorKeyRefused: [
    'Stripe rejects the API key of this service.',
    'The operator of the service must set a valid key. Processing then continues automatically. ' +
      'Nothing is lost.',
  ],
  ProcessorAccountUnusable: ['The Stripe account is no longer connected.', 'Reconnect the account.'],
  ProcessorRefused: [
    'Stripe rejected the request.',
    'Check the payment in Stripe. The technical details give the reason.',
  ],
  ProcessorUnavailable: UNAVAILABLE,
  PaymentsPaused: [
    'Payments are paused until recent activity on the Stripe account has been read again.',
    'This continues automatically. If it lasts for more than an hour, the operator of the service must ' +
      'check why the account cannot be read.',
  ],
  AccountingDisconnected: [
    'The accounting system is no longer connected.',
    'Reconnect it under Settings → Accounting.',
  ],
  AccountingUnavailable: ACCOUNTING,
  AccountingRateLimited: ACCOUNTING,
  AccountingRefused: ACCOUNTING,
  ReferenceMissing: ['A required record no longer exists.', 'The operator of the service must investigate.'],
};

const OTHER: Meaning = [
  'An internal step is failing.',
  'This is retried. If it persists, the operator of the service must check the log.',
];

/** A step of a run that fails. */
export interface ExplainedStep {
  step: string;
  /** Sentences for people. */
  means: string;
  todo: string;
  tries: number;
  next: Date | null;
  /** The workspace has no working account at the processor. */
  lacksAccount: boolean;
  /**
   * The type of the failure and the text of the outside system; null for a failure without a
   * type, such as a time limit.
   */
  raw: string | null;
}

const isKnown = (type: string): type is FailureType => (FAILURE_TYPES as readonly string[]).includes(type);

/** Explains a failing step by the type of its failure. */
export function explain(failing: {
  step: string;
  type: string;
  message: string;
  tries: number;
  next: Date | null;
}): ExplainedStep {
  const { step, type, message, tries, next } = failing;
  const [means, todo] = isKnown(type) ? MEANINGS[type] : OTHER;
  const raw = type ? `${type}: ${message}` : null;
  return { step, means, todo, tries, next, raw, lacksAccount: type === 'ProcessorAccountUnusable' };
}
