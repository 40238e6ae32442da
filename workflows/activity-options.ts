import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Failures that no retry mends; `activities/failures.ts` throws them. */
const NEVER_RETRIED = [
  'ProcessorRefused',
  'ProcessorAccountUnusable',
  'AccountingDisconnected',
  'AccountingRefused',
  'ReferenceMissing',
];

/** One call to a service that isn't ours. */
export const OUTSIDE_CALL: ActivityOptions = {
  startToCloseTimeout: '15 seconds',
  retry: { initialInterval: '500 ms', maximumAttempts: 5, nonRetryableErrorTypes: NEVER_RETRIED },
};

/** A call to the accounting system: nobody waits, and it may be a minute until it takes more calls. */
export const ACCOUNTING_CALL: ActivityOptions = {
  startToCloseTimeout: '60 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', nonRetryableErrorTypes: NEVER_RETRIED },
};

/** One transaction in our own database. */
export const TRANSACTION: ActivityOptions = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumAttempts: 6, nonRetryableErrorTypes: NEVER_RETRIED },
};

/** Many transactions, one after the other, with a heartbeat in between; those that are done stay done. */
export const BATCH: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', nonRetryableErrorTypes: NEVER_RETRIED },
};

/** A call that a client is waiting for: it has to be over, one way or the other, in time for a 502 within 15 s. */
export const OUTSIDE_CALL_AWAITED: ActivityOptions = {
  startToCloseTimeout: '7 seconds',
  scheduleToCloseTimeout: '11 seconds',
  retry: { initialInterval: '300 ms', backoffCoefficient: 1.5, nonRetryableErrorTypes: NEVER_RETRIED },
};

/** A transaction that a client is waiting for: run by the worker in the workflow task itself, without a round trip. */
export const TRANSACTION_AWAITED: LocalActivityOptions = {
  startToCloseTimeout: '5 seconds',
  retry: { initialInterval: '100 ms', maximumInterval: '5 seconds', nonRetryableErrorTypes: NEVER_RETRIED },
};

/** One turn of webhook deliveries: ten seconds of sending and the attempts that are under way then. */
export const WEBHOOK_TURN: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '200 ms', maximumAttempts: 6 },
};

/** One attempt past the queue. It isn't made twice: the queue has the event still. */
export const WEBHOOK_ATTEMPT: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '25 seconds',
  retry: { maximumAttempts: 1 },
};
