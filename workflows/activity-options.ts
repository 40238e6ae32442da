import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Failures that a retry cannot fix, thrown by `activities/failures.ts`. */
const NON_RETRYABLE = [
  'ProcessorRefused',
  'ProcessorAccountUnusable',
  'AccountingDisconnected',
  'AccountingRefused',
  'ReferenceMissing',
];

/**
 * For one call to an outside service. A persistent failure is shown to the operator 3.5 s after the first
 * failure.
 */
export const OUTSIDE_CALL: ActivityOptions = {
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '500 ms', maximumAttempts: 4, nonRetryableErrorTypes: NON_RETRYABLE },
};

/** For a call that a report needs: nothing else waits for it, and without it the report is incomplete. */
export const REPORT_CALL: ActivityOptions = {
  ...OUTSIDE_CALL,
  retry: { ...OUTSIDE_CALL.retry, maximumAttempts: 6 },
};

/**
 * For a call to the accounting system. No client waits for it, and a day's calls are few, so a call that
 * fails for a day is made about a hundred times. After a rate limit, the response says how long to wait.
 */
export const ACCOUNTING_CALL: ActivityOptions = {
  startToCloseTimeout: '60 seconds',
  retry: {
    initialInterval: '1 second',
    maximumInterval: '15 minutes',
    nonRetryableErrorTypes: NON_RETRYABLE,
  },
};

/** For the further attempts of one transaction in our database. */
export const TRANSACTION: ActivityOptions = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumAttempts: 6, nonRetryableErrorTypes: NON_RETRYABLE },
};

/**
 * For the further attempts of reading what a job has to do. No client waits for a job, so it outlasts a
 * restart of the database.
 */
export const JOB_PAGE: ActivityOptions = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '200 ms', maximumInterval: '10 seconds', nonRetryableErrorTypes: NON_RETRYABLE },
};

/** For many transactions, one at a time, with heartbeats between them. What is committed stays committed. */
export const BATCH: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', nonRetryableErrorTypes: NON_RETRYABLE },
};

/**
 * For the first attempt of a transaction, or of a short outside call that a client waits for and that is
 * idempotent under our own key, as a local activity. This saves a workflow task and the activity task. It
 * holds the workflow task no longer than this, so a slow processor cannot occupy the worker. Further attempts
 * are made by an ordinary activity (workflows/in-task.ts).
 */
export const FIRST_ATTEMPT: LocalActivityOptions = {
  startToCloseTimeout: '6 seconds',
  retry: { maximumAttempts: 1, nonRetryableErrorTypes: NON_RETRYABLE },
};

/**
 * For the further attempts of a call that a client waits for. They must end in time for a 502 within 15 s.
 */
export const OUTSIDE_CALL_AWAITED: ActivityOptions = {
  startToCloseTimeout: '6 seconds',
  scheduleToCloseTimeout: '6 seconds',
  retry: { initialInterval: '300 ms', backoffCoefficient: 1.5, nonRetryableErrorTypes: NON_RETRYABLE },
};

/**
 * For a transaction that a client waits for: a local activity, which saves a round trip to the server. Up to
 * a minute (`localRetryThreshold`) the worker itself waits between attempts, and keeps the workflow task with
 * three events every 8 s. During an outage of the database the pauses grow beyond that, and become timers of
 * the server.
 */
export const TRANSACTION_AWAITED: LocalActivityOptions = {
  startToCloseTimeout: '5 seconds',
  retry: { initialInterval: '100 ms', maximumInterval: '2 minutes', nonRetryableErrorTypes: NON_RETRYABLE },
};

/** For sending webhook events for a few seconds, and then waiting for the attempts in flight. */
export const WEBHOOK_DELIVERY: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '200 ms', maximumAttempts: 6 },
};

/** For one attempt outside the queue. It is not retried, because the event is still in the queue. */
export const WEBHOOK_ATTEMPT: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '25 seconds',
  retry: { maximumAttempts: 1 },
};

/**
 * For the first writes to the accounting system, as a local activity: starts none after a second, then waits
 * for the one in flight.
 */
export const FIRST_WRITES: LocalActivityOptions = {
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
};

/**
 * For new mail, as a local activity: starts no mail after a second, then waits for the mails in flight like
 * `MAIL_DELIVERY`.
 */
export const FIRST_MAILS: LocalActivityOptions = {
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 1 },
};

/** For sending mail for a few seconds, and then waiting for the mails in flight. */
export const MAIL_DELIVERY: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumAttempts: 6 },
};
