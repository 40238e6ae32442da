import { defineQuery } from '@temporalio/workflow';

/** How an outside call or a step of ours fails: the types of failures in histories. */
export const FAILURE_TYPES = [
  'ProcessorRefused',
  'ProcessorAccountUnusable',
  'ProcessorKeyRefused',
  'ProcessorUnavailable',
  'PaymentsPaused',
  'AccountingDisconnected',
  'AccountingUnavailable',
  'AccountingRateLimited',
  'AccountingRefused',
  'ReferenceMissing',
] as const;

export type FailureType = (typeof FAILURE_TYPES)[number];

/** A step of a run that fails and is retried. */
export interface FailingStep {
  step: string;
  /** A `FailureType`, or that of a failure which is not expected. Never personal data, nor is `message`. */
  type: string;
  message: string;
  tries: number;
  /** When it is tried again, in ISO 8601. */
  next: string;
}

/** What a run shows about itself. */
export interface RunDetails {
  /** What it does or waits for, in English. */
  status: string;
  failing: FailingStep[];
  /** Other problems, in English. */
  problems: string[];
}

/** A query of every run: the same that its current details show in the Web UI. */
export const runDetails = defineQuery<RunDetails>('run-details');
