import { newId } from '../../db/ids.js';
import { insertReconciliation } from '../../db/repositories/billing/reconciliations.js';
import { findReconciliation } from '../../db/repositories/billing/reconciliation-queries.js';
import { ApiError } from '../../domain/errors.js';
import { DAY } from '../../domain/time-zone.js';
import { WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import type { Query } from './schema.js';

const RESPOND_WITHIN_MS = 30_000;
const MAX_DAYS = 92;
/**
 * The most requests of a workspace that this process keeps waiting for a report. Each run occupies the worker and reads
 * both outside systems: 150 at once left no room for the bookings of other workspaces.
 */
const MAX_WAITING = 5;

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * `GET /v1/reconciliation` (docs/rules/billing.md#reconciliation). Concurrent requests for the same time share one run.
 * Errors: 422; 429 `rate_limited` while several others of the workspace wait; 503 if the run takes longer than a request
 * may.
 */
export function get(deps: Deps): Handler {
  const waiting = new Map<string, number>();
  return async (ctx) => {
    const { from, to } = ctx.state.query as Query;
    if (to <= from || to.getTime() - from.getTime() > MAX_DAYS * DAY) {
      const message = `to must be after from, at most ${MAX_DAYS} days later.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { workspace_id } = ctx.state.principal;
    const others = waiting.get(workspace_id) ?? 0;
    if (others >= MAX_WAITING) throw tooManyWaiting();
    waiting.set(workspace_id, others + 1);
    try {
      ctx.body = await reportOf(deps, { workspace_id, from_at: from, to_at: to });
    } finally {
      const left = waiting.get(workspace_id)! - 1;
      if (left > 0) waiting.set(workspace_id, left);
      else waiting.delete(workspace_id);
    }
  };
}

const tooManyWaiting = (): ApiError =>
  new ApiError('rate_limited', `At most ${MAX_WAITING} reconciliations can be requested at the same time.`, {
    retry_after_ms: 1_000,
  });

/** Runs a reconciliation, or joins the run for the same time, and waits for its report. */
async function reportOf(
  { db, temporal, taskQueue }: Deps,
  of: { workspace_id: string; from_at: Date; to_at: Date },
): Promise<unknown> {
  const input = { reconciliationId: newId('rec'), workspaceId: of.workspace_id, notifyOwner: false };
  const range = { from: of.from_at.toISOString(), to: of.to_at.toISOString() };
  await insertReconciliation(db.manager, { id: input.reconciliationId, ...of });
  const id = await temporal.withDeadline(Date.now() + RESPOND_WITHIN_MS, async () => {
    const run = await temporal.workflow.start(
      WORKFLOWS.reconciliation,
      starts(taskQueue).reconciliation(input, range),
    );
    return run.result() as Promise<string>;
  });
  return (await findReconciliation(db.manager, id))!.report;
}
