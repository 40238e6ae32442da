import { uniqueId, type Start } from './run.js';

export const SCHEDULES = {
  selfHeal: 'self-heal',
  readAccounts: 'read-accounts',
  accountingSync: 'accounting-sync',
  subscriptionInvoices: 'subscription-invoices',
  memberCycle: 'member-cycle',
  nightlyReconciliation: 'nightly-reconciliation',
  ssoCertificates: 'sso-certificates',
  payouts: 'payouts',
  retention: 'retention',
} as const;

export type Job = keyof typeof SCHEDULES;

const JOB_SUMMARIES: Record<Job, string> = {
  selfHeal: 'Hourly: confirms payments and releases expired holds that the other layers missed',
  readAccounts:
    'Every 5 minutes: reads what happened on connected accounts where money is expected, others daily',
  accountingSync: 'Hourly: sends open invoices to the accounting system and reads approvals back',
  subscriptionInvoices: 'Every 15 minutes: invoices subscriptions of workspaces where it is 06:00',
  memberCycle: 'Hourly: ends trials, applies downgrades and grants hour credits that are due',
  ssoCertificates: 'Daily: announces certificates of identity providers that expire soon',
  payouts: 'Every 6 hours: reads payouts of connected accounts, and what is in them',
  retention: 'Nightly: deletes rows whose retention period has ended',
  nightlyReconciliation: 'Nightly: compares processor, ledger and accounting system',
};

export const jobStarts = (start: Start, taskQueue: string) => ({
  /** The run that a Schedule starts, for all workspaces. */
  scheduled: (job: Job) => start(SCHEDULES[job], {}, JOB_SUMMARIES[job], null),

  /** A run started by hand, in addition to those of the Schedule. */
  byHand: (job: Job, input: { workspaceId?: string; asOf?: string }) =>
    start(uniqueId(SCHEDULES[job]), input, 'Run manually', input.workspaceId ?? null),

  /** The run that reads the accounts on which payments are paused. Only one runs at a time. */
  readRecovering: () =>
    start(`${SCHEDULES.readAccounts}-recovering`, {}, 'Reads accounts on which payments are paused', null),

  /** The run that remembers the database's latest beat. */
  databaseBeat: () => start(`database-beat-${taskQueue}`, {}, "Remembers the database's last beat", null),

  /** The run that staff start for their workspace. Only one runs at a time, and another start joins it. */
  subscriptionsByStaff: (workspaceId: string) =>
    start(
      `${SCHEDULES.subscriptionInvoices}-${workspaceId}`,
      { workspaceId },
      'Started on the dashboard',
      workspaceId,
    ),
});
