import type { DataSource } from 'typeorm';
import { findOrInsertReconciliation } from '../../../commands/reconciliation/reconciliations.js';
import { findReconciliation } from '../../../db/queries/reconciliation/reconciliation.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import type { Query } from './shape.js';

const RESPOND_WITHIN_MS = 25_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_DAYS = 92;

/**
 * `GET /v1/reconciliation` (docs/rules/billing.md#reconciliation). Requests for the same time share one run.
 * One that takes longer than a request may is a 202 with the address of its report. Errors: 422.
 */
export function get({
  db,
  temporal,
  taskQueue,
}: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>): Handler<unknown, Query> {
  return async (ctx) => {
    const { from, to } = ctx.state.query;
    if (to <= from || to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
      const message = `to must be after from, at most ${MAX_DAYS} days later.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const deadline = Date.now() + RESPOND_WITHIN_MS;
    const { workspace_id: workspaceId } = ctx.state.principal;
    const id = await transaction(db, (tx) =>
      findOrInsertReconciliation(tx, { workspace_id: workspaceId, from_at: from, to_at: to }),
    );
    const input = { reconciliationId: id, workspaceId, notifyOwner: false };
    const range = { from: from.toISOString(), to: to.toISOString() };
    const run = await temporal.withDeadline(deadline, () =>
      temporal.workflow.start(WORKFLOWS.reconciliation, starts(taskQueue).reconciliation(input, range)),
    );
    await temporal
      .withDeadline(deadline, () => run.result())
      .catch((error) => {
        if (Date.now() < deadline) throw error;
      });
    await showReport(ctx, db, id);
  };
}

/**
 * `GET /v1/reconciliations/{id}`: the report, or a 202 while it is being written. Errors: 404 `not_found`.
 */
export function getById({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return (ctx) => showReport(ctx, db, ctx.params.id!);
}

async function showReport(ctx: ApiContext, { manager }: DataSource, id: string): Promise<void> {
  const found = await findReconciliation(manager, id);
  if (found?.workspace_id !== ctx.state.principal.workspace_id)
    throw new ApiError('not_found', 'No such reconciliation.');
  if (found.report) {
    ctx.body = found.report;
    return;
  }
  ctx.status = 202;
  ctx.set('Location', `/v1/reconciliations/${id}`);
  ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
  ctx.body = { id, status: 'running' };
}
