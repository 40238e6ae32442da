import { defineQuery } from '@temporalio/workflow';

/** The failure types in histories, for outside calls and our own steps. */
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
  /**
   * A `FailureType`, or the type of an unexpected failure. Like `message`, it never contains personal data.
   */
  type: string;
  message: string;
  tries: number;
  /** When it is retried, in ISO 8601. */
  next: string;
}

export interface RunDetails {
  /** What it does or waits for, in English. */
  status: string;
  failing: FailingStep[];
  /** Other problems, in English. */
  problems: string[];
}

/** A query of every run. It returns what the run's current details show in the Web UI. */
export const runDetails = defineQuery<RunDetails>('run-details');
