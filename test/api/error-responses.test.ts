import { ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import test from 'ava';
import { asApiError } from '../../api/http/errors.js';

test('what a retry can mend is a 503, anything unexpected is not', (t) => {
  const codeOf = (error: unknown): string | undefined => asApiError(error)?.code;
  t.is(codeOf(new ServiceError('Failed to start Workflow')), 'service_unavailable');
  const ended = new WorkflowUpdateFailedError('Workflow Update failed', new Error('completed'));
  t.is(codeOf(ended), 'service_unavailable', 'the run has ended before it handled the update');
  t.is(codeOf(new Error('a bug')), undefined);
});
