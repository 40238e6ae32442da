import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  proxyActivities,
  proxyLocalActivities,
  type ActivityOptions,
  type LocalActivityOptions,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { FIRST_ATTEMPT, TRANSACTION } from './activity-options.js';

type Step<In, Out> = (input: In) => Promise<Out>;

/**
 * Creates a step whose first attempt is made in the current workflow task, as a local activity. Further
 * attempts are made by an ordinary activity with `options`, which does not occupy a workflow task. A step
 * must be idempotent, because a worker that is lost in the first attempt repeats the workflow task.
 */
export function firstInTask<In, Out>(
  of: (activities: Activities) => Step<In, Out>,
  options: ActivityOptions,
  first: LocalActivityOptions = FIRST_ATTEMPT,
): Step<In, Out> {
  const inTask = of(proxyLocalActivities<Activities>(first));
  const further = of(proxyActivities<Activities>(options));
  return (input) =>
    inTask(input).catch((error: unknown) => {
      if (isRetryable(error)) return further(input);
      throw error;
    });
}

/**
 * Returns the activities that are one transaction of ours. Each one makes its first attempt in the current
 * workflow task, and further ones with `options`.
 */
export function proxyTransactions(options: ActivityOptions = TRANSACTION): Activities {
  return new Proxy({} as Activities, {
    get: (_, name) =>
      firstInTask((activities) => activities[name as keyof Activities] as Step<unknown, unknown>, options),
  });
}

function isRetryable(error: unknown): boolean {
  const cause = findActivityFailure(error);
  return cause instanceof ApplicationFailure ? !cause.nonRetryable : cause instanceof TimeoutFailure;
}

/**
 * Returns the failure of an activity. An ordinary activity fails with an `ActivityFailure` around it, a local
 * one with the failure itself. Null for anything else, such as a cancellation.
 */
export function findActivityFailure(error: unknown): ApplicationFailure | TimeoutFailure | null {
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return failure instanceof ApplicationFailure || failure instanceof TimeoutFailure ? failure : null;
}
