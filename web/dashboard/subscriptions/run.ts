import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { SubscriptionInvoicesSummary } from '../../../contract/subscriptions.js';
import { countCreatedBy } from '../../../db/queries/subscriptions/subscription.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { auditInvoiceRun } from '../../../commands/subscriptions/run.js';
import type { Principal } from '../../../domain/policies.js';

/** How long a form waits for the run that it started, and how long a page waits for Temporal, in ms. */
const WITHIN_MS = 3_000;

/** The progress of a run that staff have started. `failed`: payers that could not be invoiced. */
export type InvoiceRunState =
  | { kind: 'running'; created: number }
  | { kind: 'done'; created: number; failed: number }
  | { kind: 'failed' }
  | { kind: 'none' };

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * Starts the run that creates the subscription invoices of a workspace which are due, or joins the one that
 * staff have started. Waits a moment for its result. Errors: those of Temporal.
 */
export async function startRun(deps: Deps, by: Principal): Promise<InvoiceRunState> {
  const { db, temporal, taskQueue } = deps;
  const { workspace_id } = by;
  await auditInvoiceRun(db, by);
  const start = starts(taskQueue).subscriptionsByStaff(workspace_id);
  const run = await temporal.workflow.start(WORKFLOWS.subscriptionInvoices, start);
  const deadline = Date.now() + WITHIN_MS;
  try {
    return doneAs(await temporal.withDeadline(deadline, () => run.result()));
  } catch (error) {
    if (error instanceof WorkflowFailedError) return { kind: 'failed' };
    if (Date.now() < deadline) throw error;
    return findRun(deps, workspace_id);
  }
}

const doneAs = ({ opened, failed }: SubscriptionInvoicesSummary): InvoiceRunState => ({
  kind: 'done',
  created: opened,
  failed,
});

/** The state of the last run that staff have started. Errors: those of Temporal. */
export async function findRun(
  { db, temporal, taskQueue }: Deps,
  workspace_id: string,
): Promise<InvoiceRunState> {
  const { workflowId: job } = starts(taskQueue).subscriptionsByStaff(workspace_id);
  const run = temporal.workflow.getHandle(job);
  return temporal.withDeadline(Date.now() + WITHIN_MS, async () => {
    try {
      const { status, startTime } = await run.describe();
      if (status.name === 'RUNNING')
        return {
          kind: 'running',
          created: await countCreatedBy(db.manager, { workspace_id, job, since: startTime }),
        };
      return doneAs((await run.result()) as SubscriptionInvoicesSummary);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { kind: 'none' };
      if (error instanceof WorkflowFailedError) return { kind: 'failed' };
      throw error;
    }
  });
}

export function describeRun(run: InvoiceRunState): string {
  if (run.kind === 'none') return 'No run was started.';
  if (run.kind === 'failed') return 'The run stopped before it was finished. Start it again to continue.';
  const count = run.created === 1 ? 'One plan invoice has' : `${run.created || 'No'} plan invoices have`;
  if (run.kind === 'running') return `Invoices are being created. ${count} been created so far.`;
  const made = run.created === 0 ? 'No plan invoice was due.' : `${count} been created.`;
  return run.failed > 0
    ? `${made} ${run.failed} payers could not be invoiced. The next run retries them.`
    : made;
}
