import { listOpenedBy } from '../../db/queries/billing/subscription.js';
import type { System } from '../../commands/workspaces/audit.js';
import { transaction } from '../../db/transaction.js';
import { WORKFLOWS } from '../../contract/names.js';
import type { SubscriptionInvoicesSummary } from '../../contract/subscriptions.js';
import type { Job } from '../../contract/jobs.js';
import { starts } from '../../contract/starts.js';
import { utcDay } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { object, oneOf, string, type Infer } from '../http/typed.js';
import { auditOperator } from './operator-entry.js';

/** The scheduled jobs that can also be run manually. */
const JOBS = {
  self_heal: 'selfHeal',
  read_accounts: 'readAccounts',
  subscription_invoices: 'subscriptionInvoices',
  member_cycle: 'memberCycle',
  accounting_sync: 'accountingSync',
} as const satisfies Record<string, Job>;

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

/** The internal action `run_job`: runs a scheduled job now, of one workspace or of all, and returns its result. */
export async function runJob(
  { db, temporal, taskQueue }: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>,
  { job, workspace_id, as_of }: RunJobBody,
  by: System,
): Promise<unknown> {
  if (workspace_id !== undefined) {
    const entry = { action: 'job.run', object: workspace_id, details: { job, as_of: as_of ?? null } };
    await transaction(db, (tx) => auditOperator(tx, { workspace_id, ...by }, entry));
  }
  const start = starts(taskQueue).byHand(JOBS[job], { workspaceId: workspace_id, asOf: as_of });
  const summary: unknown = await temporal.workflow.execute(WORKFLOWS[JOBS[job]], start);
  if (job !== 'subscription_invoices') return summary;
  const { opened: _, statements: __, skipped, ...left } = summary as SubscriptionInvoicesSummary;
  const created = await listOpenedBy(db.manager, start.workflowId);
  return { created, skipped, ...(left.failed > 0 && left) };
}
