import { readFileSync } from 'node:fs';
import test from 'ava';

/**
 * What a saved run has cost: workflow tasks and scheduled activities. Local activities are
 * part of a workflow task.
 */
function measureCost(name: string): { tasks: number; activities: number } {
  const { events } = JSON.parse(readFileSync(`test/histories/${name}.json`, 'utf8'));
  const count = (type: string): number =>
    events.filter(({ eventType }: { eventType: string }) => eventType === `EVENT_TYPE_${type}`).length;
  return { tasks: count('WORKFLOW_TASK_COMPLETED'), activities: count('ACTIVITY_TASK_SCHEDULED') };
}

// docs/internals/costs.md#a-booking. A history recorded while a first attempt took too long has more
// activities: record it again.

test('a create is one workflow task', (t) => {
  t.deepEqual(measureCost('booking-pending'), { tasks: 1, activities: 0 });
});

test('a booking that is created and paid takes at most three workflow tasks', (t) => {
  const { tasks, activities } = measureCost('booking-confirmed');
  t.is(activities, 0);
  // One for a report that arrives while another one is being settled.
  t.true(tasks <= 3, `${tasks}`);
});

test('an invoice that is created and paid is one workflow task in the accounting system', (t) => {
  t.deepEqual(measureCost('invoice-accounting'), { tasks: 1, activities: 0 });
});

test('a refund that the processor makes immediately is one workflow task', (t) => {
  t.deepEqual(measureCost('refund'), { tasks: 1, activities: 0 });
});

test('new mail is sent in the workflow task', (t) => {
  const { tasks, activities } = measureCost('mail-delivery-retried');
  t.is(activities, 0);
  // One for each of three mails, or fewer if they were sent together.
  t.true(tasks <= 3, `${tasks}`);
});
