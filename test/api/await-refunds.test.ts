import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { ApiDependencies } from '../../api/dependencies.js';
import { awaitRefunds } from '../../api/payments/run-refunds.js';
import test from '../support/suite.js';

/** A connection to Temporal whose updates fail. */
const failing = (error: Error) => ({
  temporal: {
    withDeadline: (_deadline: number, work: () => Promise<void>) => work(),
    workflow: { getHandle: () => ({ executeUpdate: () => Promise.reject(error) }) },
  } as unknown as ApiDependencies['temporal'],
});

test('a refund that is under way is not an error, even if its run cannot be asked', async (t) => {
  const cause = Object.assign(new Error('unexpected workflow task failure'), { code: 9 });
  for (const error of [
    new ServiceError('Workflow Update failed', { cause }),
    new WorkflowNotFoundError('completed', 'refund-1', undefined),
  ])
    await t.notThrowsAsync(awaitRefunds(failing(error), ['re_1']));
  await t.throwsAsync(awaitRefunds(failing(new TypeError('a bug')), ['re_1']), { message: 'a bug' });
});
