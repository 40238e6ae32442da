import type { DataSource } from 'typeorm';
import { listOpenedBy } from '../../db/queries/subscriptions/subscription.js';
import type { System } from '../../commands/audit-log/audit.js';
import { recordOperator } from '../../commands/audit-log/operator.js';
import type { Tx } from '../../db/transaction.js';
import { WORKFLOWS } from '../../contract/names.js';
import type { SubscriptionInvoicesSummary } from '../../contract/subscriptions.js';
import type { Job } from '../../contract/jobs.js';
import { starts } from '../../contract/starts.js';
import {
  listFailingWorkspaces,
  listObjectWorkspaces,
  type FailingWorkspace,
} from '../../db/queries/workspaces/job-failure.js';
import { utcDay } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { object, oneOf, string, type Infer } from '../http/typed.js';

/** The scheduled jobs that can also be run manually. */
const JOBS = {
  self_heal: 'selfHeal',
  read_accounts: 'readAccounts',
  subscription_invoices: 'subscriptionInvoices',
  member_cycle: 'memberCycle',
  accounting_sync: 'accountingSync',
  sso_certificates: 'ssoCertificates',
  payouts: 'payouts',
} as const satisfies Record<string, Job>;

/** What a job reports about unfinished work. */
interface Unfinished {
  left: string[];
}

/** A mistyped year would create months of invoices, which cannot be undone. */
const MAX_DAYS_AHEAD = 5 * 366;

/** A calendar date. */
const date = string.custom((value: string, helpers) => {
  const at = Date.parse(`${value}T00:00:00Z`);
  const canonical = Number.isNaN(at) ? null : utcDay(at);
  if (canonical !== value)
    return helpers.message({ custom: '{{#label}} must be a date, such as 2027-01-31' });
  if (at > Date.now() + MAX_DAYS_AHEAD * DAY_MS)
    return helpers.message({ custom: '{{#label}} must be at most five years from now' });
  return value;
});

export const runJobSchema = object(
  {
    action: string,
    job: oneOf(Object.keys(JOBS) as (keyof typeof JOBS)[]),
    workspace_id: text(64),
    as_of: date,
  },
  'job',
);
type RunJobBody = Infer<typeof runJobSchema>;

/**
 * The internal action `run_job`: runs a scheduled job now, of one workspace or of all, and returns its
 * result. Over all, `failed` lists the workspaces for which it failed, and why.
 */
export async function runJob(
  { db, temporal, taskQueue }: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>,
  { job, workspace_id, as_of }: RunJobBody,
  by: System,
): Promise<unknown> {
  if (workspace_id !== undefined) {
    const entry = { action: 'job.run', object: workspace_id, details: { job, as_of: as_of ?? null } };
    await recordOperator(db, { workspace_id, ...by }, entry);
  }
  const start = starts(taskQueue).byHand(JOBS[job], { workspaceId: workspace_id, asOf: as_of });
  const summary = (await temporal.workflow.execute(WORKFLOWS[JOBS[job]], start)) as Partial<Unfinished>;
  const answer =
    job === 'subscription_invoices' ? await invoiced(db, summary as never, start.workflowId) : summary;
  if (workspace_id !== undefined) return answer;
  return { ...answer, failed: await failedWorkspaces(db.manager, job, summary.left ?? []) };
}

/** The result of the subscription invoices job. */
async function invoiced(db: DataSource, summary: SubscriptionInvoicesSummary, run: string): Promise<object> {
  const { opened: _, statements: __, skipped, ...left } = summary;
  const created = await listOpenedBy(db.manager, run);
  return { created, skipped, ...(left.failed > 0 && left) };
}

/** Jobs that record the workspaces that failed. Other jobs return what is unfinished. */
const RECORDED: Partial<Record<keyof typeof JOBS, SweptJob[]>> = {
  member_cycle: ['member_cycle'],
  sso_certificates: ['sso_certificates'],
  payouts: ['payouts'],
  subscription_invoices: ['subscription_invoices', 'monthly_statements'],
};

/** The workspaces for which a run over all of them has failed, and why. */
async function failedWorkspaces(tx: Tx, job: keyof typeof JOBS, left: string[]): Promise<FailingWorkspace[]> {
  const failed = new Map<string, FailingWorkspace>();
  for (const { workspace_id, id } of left.length > 0 ? await listObjectWorkspaces(tx, left) : [])
    failed.set(workspace_id, { workspace_id, reason: `${id} could not be processed: see the worker's log.` });
  for (const each of await listFailingWorkspaces(tx, RECORDED[job] ?? []))
    failed.set(each.workspace_id, each);
  return [...failed.values()];
}
