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

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * `GET /v1/reconciliation` (docs/rules/billing.md#reconciliation). Concurrent requests for the same time share one run.
 * Errors: 422; 503 if the run takes longer than a request may.
 */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    const { from, to } = ctx.state.query as Query;
    if (to <= from || to.getTime() - from.getTime() > MAX_DAYS * DAY) {
      const message = `to must be after from, at most ${MAX_DAYS} days later.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { workspace_id } = ctx.state.principal;
    ctx.body = await reportOf(deps, { workspace_id, from_at: from, to_at: to });
  };
}

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
