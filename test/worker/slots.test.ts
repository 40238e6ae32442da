import test from 'ava';
import { loadConfig } from '../../config/config.js';
import { mainSlots, webhookSlots } from '../../worker/slots.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';

test('a worker’s concurrency follows its settings, which have defaults', (t) => {
  const slots = (settings: Record<string, string>) => {
    const { concurrency } = loadConfig({ ...REQUIRED_SETTINGS, ...settings });
    return [mainSlots(concurrency), webhookSlots(concurrency)];
  };
  t.deepEqual(slots({}), [
    {
      maxConcurrentWorkflowTaskExecutions: 100,
      maxConcurrentLocalActivityExecutions: 100,
      maxConcurrentActivityTaskExecutions: 40,
      maxCachedWorkflows: 100,
      workflowThreadPoolSize: 1,
    },
    { maxConcurrentActivityTaskExecutions: 200 },
  ]);
  const own = slots({
    MAX_CONCURRENT_WORKFLOW_TASK_EXECUTIONS: '11',
    MAX_CONCURRENT_LOCAL_ACTIVITY_EXECUTIONS: '12',
    MAX_CONCURRENT_ACTIVITY_TASK_EXECUTIONS: '13',
    MAX_CONCURRENT_WEBHOOK_DELIVERIES: '14',
    MAX_CACHED_WORKFLOWS: '0',
  });
  t.like(own[0], {
    maxConcurrentWorkflowTaskExecutions: 11,
    maxConcurrentLocalActivityExecutions: 12,
    maxConcurrentActivityTaskExecutions: 13,
    maxCachedWorkflows: 0,
  });
  t.like(own[1], { maxConcurrentActivityTaskExecutions: 14 });
  t.throws(() => slots({ MAX_CONCURRENT_WORKFLOW_TASK_EXECUTIONS: '1' }), { message: /must be greater/ });
});
