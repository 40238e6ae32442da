import { WorkflowNotFoundError } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { isId, newId } from '../../db/ids.js';
import { insertReconciliation } from '../../db/repositories/billing/reconciliations.js';
import {
  findReconciliation,
  type Reconciliation,
} from '../../db/repositories/billing/reconciliation-queries.js';
import { ApiError } from '../../domain/errors.js';
import { DAY } from '../../domain/time-zone.js';
import { WORKFLOWS, workflowIds } from '../../workflows/contract.js';
import { RECONCILIATION_ID, starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { serviceUnavailable } from '../http/errors.js';
import type { Query } from './schema.js';

/** A run that takes longer goes on; the client gets its address. */
const RESPOND_WITHIN_MS = 25_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_DAYS = 92;

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * `GET /v1/reconciliation` (docs/rules/billing.md#reconciliation). Concurrent requests for the same time share one run.
 * 202 with the address of the report if the run takes longer than a request may. Errors: 422.
 */
export function get(deps: Deps): Handler {
  const { db, temporal, taskQueue } = deps;
  return async (ctx) => {
    const { from, to } = ctx.state.query as Query;
    if (to <= from || to.getTime() - from.getTime() > MAX_DAYS * DAY) {
      const message = `to must be after from, at most ${MAX_DAYS} days later.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { workspace_id: workspaceId } = ctx.state.principal;
    const input = { reconciliationId: newId('rec'), workspaceId, notifyOwner: false };
    const range = { from: from.toISOString(), to: to.toISOString() };
    await insertReconciliation(db.manager, {
      id: input.reconciliationId,
      workspace_id: workspaceId,
      from_at: from,
      to_at: to,
    });
    const run = await temporal.workflow.start(
      WORKFLOWS.reconciliation,
      starts(taskQueue).reconciliation(input, range),
    );
    const aborted = new AbortController();
    const finished = await Promise.race([
      run.result() as Promise<string>,
      sleep(RESPOND_WITHIN_MS, null, { signal: aborted.signal }),
    ]).finally(() => aborted.abort());
    const running = finished ? null : await runningId(deps, run.workflowId);
    if (running) return showRunning(ctx, running);
    // A run that ends between the two has its result at once.
    const id = finished ?? ((await run.result()) as string);
    ctx.body = (await findReconciliation(db.manager, id))!.report;
  };
}

/**
 * `GET /v1/reconciliations/{id}`: the report, or 202 while it is being made. Errors: 404 `not_found`; 503 if its run has
 * failed.
 */
export function getById(deps: Deps): Handler {
  return async (ctx) => {
    const reconciliation = await reconciliationOf(ctx, deps);
    if (reconciliation.report) {
      ctx.body = reconciliation.report;
      return;
    }
    const { id, workspace_id, from_at, to_at } = reconciliation;
    const range = workflowIds.reconciliation(workspace_id, from_at.toISOString(), to_at.toISOString());
    const running = await runningId(deps, range);
    if (running === id) return showRunning(ctx, id);
    // It may have ended just now.
    const { report } = await reconciliationOf(ctx, deps);
    if (!report) throw serviceUnavailable('The reconciliation has failed. Request it again.');
    ctx.body = report;
  };
}

async function reconciliationOf(
  { state: { principal }, params: { id } }: ApiContext,
  { db }: Deps,
): Promise<Reconciliation> {
  const found = isId('rec', id!) ? await findReconciliation(db.manager, id!) : null;
  if (found?.workspace_id !== principal.workspace_id)
    throw new ApiError('not_found', 'No such reconciliation.');
  return found;
}

/** The id of the reconciliation that a run makes, as the request that started it has named it; null if it has ended. */
async function runningId({ temporal }: Deps, workflowId: string): Promise<string | null> {
  try {
    const { memo, status } = await temporal.workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING') return null;
    return (memo?.[RECONCILIATION_ID] as string | undefined) ?? null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function showRunning(ctx: ApiContext, id: string): void {
  ctx.status = 202;
  ctx.set('Location', `/v1/reconciliations/${id}`);
  ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
  ctx.body = { id, status: 'running' };
}
