import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
  type ScheduleSpec,
} from '@temporalio/client';
import { SCHEDULES } from '../contract/jobs.js';
import { WORKFLOWS } from '../contract/names.js';
import type { Job } from '../contract/jobs.js';
import { starts } from '../contract/starts.js';
import { untilAnswered } from './until-answered.js';

interface Timing {
  /** `jitter` spreads the starts, so that several deployments don't all start on the hour. */
  spec: ScheduleSpec;
  /** A run that was missed longer ago is not started any more: the next run does its work too. */
  catchupWindow: '1 hour' | '12 hours';
  /** What an operator should know before pausing the Schedule. */
  note: string;
}

/** When each job runs (docs/internals/temporal.md#schedules). Times are UTC. */
const TIMINGS: Record<Job, Timing> = {
  selfHeal: {
    spec: { intervals: [{ every: '1 hour' }], jitter: '2 minutes' },
    catchupWindow: '1 hour',
    note: 'The last layer of payment confirmation. If you pause it, lost webhooks go unnoticed.',
  },
  readAccounts: {
    spec: { intervals: [{ every: '5 minutes' }], jitter: '30 seconds' },
    catchupWindow: '1 hour',
    note: 'If you pause it, refunds, disputes and restrictions whose webhooks are lost go unnoticed.',
  },
  subscriptionInvoices: {
    // 06:00 of every time zone falls on a quarter of an hour UTC. A run invoices the workspaces where it is
    // past 06:00.
    spec: { calendars: [{ hour: '*', minute: { start: 0, end: 45, step: 15 } }], jitter: '1 minute' },
    catchupWindow: '1 hour',
    note:
      'Invoices and monthly statements at 06:00 in each workspace. The next run catches up on ' +
      'days that were missed.',
  },
  nightlyReconciliation: {
    spec: { calendars: [{ hour: 2, minute: 30 }], jitter: '10 minutes' },
    catchupWindow: '12 hours',
    note: 'A run that finds differences sets AttentionNeeded, and the owner is notified by email.',
  },
  retention: {
    spec: { calendars: [{ hour: 3, minute: 30 }], jitter: '10 minutes' },
    catchupWindow: '12 hours',
    note: 'If you pause it, the database grows, and data is kept longer than promised.',
  },
  accountingSync: {
    spec: { intervals: [{ every: '1 hour', offset: '20 minutes' }], jitter: '5 minutes' },
    catchupWindow: '1 hour',
    note:
      'If you pause it, open invoices are not sent to the accounting system; paid and ' +
      'voided ones still are.',
  },
  ssoCertificates: {
    spec: { calendars: [{ hour: 5, minute: 10 }], jitter: '10 minutes' },
    catchupWindow: '12 hours',
    note: 'If you pause it, owners are not told that a certificate of their identity provider expires soon.',
  },
  payouts: {
    spec: { intervals: [{ every: '6 hours', offset: '50 minutes' }], jitter: '10 minutes' },
    catchupWindow: '1 hour',
    note: 'If you pause it, the report of payouts lacks new payouts.',
  },
  memberCycle: {
    spec: { intervals: [{ every: '1 hour', offset: '40 minutes' }], jitter: '5 minutes' },
    catchupWindow: '1 hour',
    note: 'If you pause it, trials do not end, and downgrades and hour credits are delayed.',
  },
};

const buildSchedule = (job: Job, taskQueue: string): ScheduleOptions => {
  const { spec, catchupWindow, note } = TIMINGS[job];
  const { workflowId, args, staticSummary } = starts(taskQueue).scheduled(job);
  return {
    scheduleId: SCHEDULES[job],
    spec,
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOWS[job],
      workflowId,
      taskQueue,
      args,
      staticSummary,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    state: { note },
  };
};

/**
 * Creates the Schedules, or updates them to this version. Paused Schedules stay paused. Calls that Temporal
 * answers late are repeated.
 */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const job of Object.keys(TIMINGS) as Job[])
    await untilAnswered(() => ensureSchedule(client, buildSchedule(job, taskQueue)));
}

async function ensureSchedule(client: Client, schedule: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { spec, action, policies } = schedule;
    await client.schedule.getHandle(schedule.scheduleId).update(({ state }) => ({
      spec,
      action: action as never,
      policies,
      state,
    }));
  }
}
