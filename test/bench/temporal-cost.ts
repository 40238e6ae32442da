import type { Client } from '@temporalio/client';

type Events = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>;

/** What runs cost in Temporal. */
export interface TemporalCost {
  runs: number;
  events: number;
  workflow_tasks: number;
  /** Each attempt is a task. */
  activity_tasks: number;
  /** What Temporal Cloud charges for. All local activities of one workflow task count as one. */
  billable_actions: number;
}

const NOTHING: TemporalCost = {
  runs: 0,
  events: 0,
  workflow_tasks: 0,
  activity_tasks: 0,
  billable_actions: 0,
};

const BILLED = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'timerStartedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'signalExternalWorkflowExecutionInitiatedEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const;

/** The cost of all runs that have started since `from`, by workflow type, without the types in `except`. */
export async function temporalCostSince(
  { workflow }: Client,
  from: Date,
  except: readonly string[],
): Promise<Record<string, TemporalCost>> {
  const costs: Record<string, TemporalCost> = {};
  const query = `StartTime >= '${from.toISOString()}'`;
  for await (const { workflowId, runId, type } of workflow.list({ query })) {
    if (except.includes(type)) continue;
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    costs[type] = sum(costs[type] ?? NOTHING, measureCost(events ?? []));
  }
  return costs;
}

function measureCost(events: Events): TemporalCost {
  const count = (name: keyof Events[number]): number => events.filter((event) => event[name]).length;
  const attempts = events.reduce(
    (attempts, { activityTaskStartedEventAttributes: started }) => attempts + (started?.attempt ?? 0),
    0,
  );
  const tasksWithLocal = new Set(
    events.map(({ markerRecordedEventAttributes: marker }) =>
      marker?.markerName === 'core_local_activity' ? String(marker.workflowTaskCompletedEventId) : null,
    ),
  );
  tasksWithLocal.delete(null);
  const billed = BILLED.reduce((actions, name) => actions + count(name), 0);
  return {
    runs: 1,
    events: events.length,
    workflow_tasks: count('workflowTaskCompletedEventAttributes'),
    activity_tasks: attempts,
    billable_actions: billed + attempts + tasksWithLocal.size,
  };
}

/** An object whose numbers are mapped. */
export const each = <T extends object>(numbers: T, of: (number: number, name: string) => number): T =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, of(number, name)])) as T;

export const sum = (a: TemporalCost, b: TemporalCost): TemporalCost =>
  each(a, (count, name) => count + b[name as keyof TemporalCost]);
