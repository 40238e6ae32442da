import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { boundedCalls } from '../../../api/app.js';
import { awaitRefunds, startRefund } from '../../../api/resources/payments/run-refunds.js';
import test from 'ava';

/** A connection to Temporal whose updates fail. */
const failing = (error: Error) => ({
  temporal: {
    withDeadline: (_deadline: number, work: () => Promise<void>) => work(),
    workflow: {
      start: () => Promise.reject(error),
      getHandle: () => ({ executeUpdate: () => Promise.reject(error) }),
    },
  } as unknown as ApiDependencies['temporal'],
  taskQueue: 'holdfast',
});

test('a refund in progress is not an error, even if its run cannot be queried', async (t) => {
  const cause = Object.assign(new Error('unexpected workflow task failure'), { code: 9 });
  for (const error of [
    new ServiceError('Workflow Update failed', { cause }),
    new WorkflowNotFoundError('completed', 'refund-1', undefined),
  ])
    await t.notThrowsAsync(awaitRefunds(failing(error), ['re_1']));
  await t.throwsAsync(awaitRefunds(failing(new TypeError('a bug')), ['re_1']), { message: 'a bug' });
});

test('a stored refund whose run cannot be started now is left to self-heal, as a repeated request would refund twice', async (t) => {
  const cause = Object.assign(new Error('deadline exceeded'), { code: 4 });
  const away = failing(new ServiceError('Failed to start Workflow', { cause }));
  await t.notThrowsAsync(startRefund(away, 'pay_1', 'ws_1'));
  await t.throwsAsync(startRefund(failing(new TypeError('a bug')), 'pay_1', 'ws_1'), { message: 'a bug' });
});

test('calls to Temporal have a deadline in every request', async (t) => {
  const deadlines: number[] = [];
  const temporal = {
    withDeadline: (deadline: number, work: () => Promise<void>) => {
      deadlines.push(deadline);
      return work();
    },
  } as unknown as ApiDependencies['temporal'];
  let handled = 0;
  await boundedCalls({ temporal })({} as never, async () => void handled++);
  t.is(handled, 1);
  t.is(deadlines.length, 1);
  t.true(deadlines[0]! > Date.now() && deadlines[0]! < Date.now() + 31_000, 'before a drain gives up');
});
