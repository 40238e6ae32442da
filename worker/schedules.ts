import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { SCHEDULES, WORKFLOWS } from '../workflows/contract.js';

/** The service's Schedules, as the Web UI lists them. */
function schedules(taskQueue: string): ScheduleOptions[] {
  return [
    {
      scheduleId: SCHEDULES.selfHeal,
      spec: { intervals: [{ every: '1 hour' }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.selfHeal,
        workflowId: SCHEDULES.selfHeal,
        taskQueue,
        args: [{}],
        staticSummary: 'Hourly: payments, bookings and slots that the other layers missed',
      },
      // A run missed for an hour has been made up for by the next one.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      state: { note: 'Layer 4 of payment confirmation. Pausing it leaves lost webhooks unnoticed.' },
    },
    {
      scheduleId: SCHEDULES.subscriptionInvoices,
      // Six in the morning is at a quarter of an hour in every zone; a run makes what is due in its zone by then.
      spec: { calendars: [{ hour: '*', minute: { start: 0, end: 45, step: 15 } }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.subscriptionInvoices,
        workflowId: SCHEDULES.subscriptionInvoices,
        taskQueue,
        args: [{}],
        staticSummary:
          "Subscription invoices of the workspaces where it is six o'clock, and of those missed before",
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      state: { note: 'Daily at 06:00 in each workspace. A day missed is made up for by the next run.' },
    },
    {
      scheduleId: SCHEDULES.nightlyReconciliation,
      spec: { calendars: [{ hour: 2, minute: 30 }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.nightlyReconciliation,
        workflowId: SCHEDULES.nightlyReconciliation,
        taskQueue,
        args: [{}],
        staticSummary: 'Nightly: processor, ledger and books side by side',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12 hours' },
      state: { note: 'A run with differences has AttentionNeeded set, and the owner gets mail.' },
    },
    {
      scheduleId: SCHEDULES.accountingSync,
      spec: { intervals: [{ every: '1 hour', offset: '20 minutes' }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.accountingSync,
        workflowId: SCHEDULES.accountingSync,
        taskQueue,
        args: [{}],
        staticSummary: 'Hourly: invoices in flight into the books, and what a bookkeeper approved back',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      state: {
        note: 'Pausing it keeps open invoices out of the books; paid and voided ones still get there.',
      },
    },
    {
      scheduleId: SCHEDULES.memberCycle,
      spec: { intervals: [{ every: '1 hour' }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.memberCycle,
        workflowId: SCHEDULES.memberCycle,
        taskQueue,
        args: [{}],
        staticSummary:
          'Hourly, as a day begins in each zone at another: trials, lower tiers and tokens that are due',
      },
      // What was missed is due still.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      state: { note: 'Pausing it keeps trials going, and lower tiers and tokens waiting.' },
    },
  ];
}

/** Creates the Schedules, or brings them to what this version wants; a pause made by an operator stays. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const schedule of schedules(taskQueue)) {
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
}
