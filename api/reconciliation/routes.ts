import Router from '@koa/router';
import joi from 'joi';
import { newId } from '../../db/ids.js';
import { findReconciliation } from '../../db/repositories/billing/reconciliation-queries.js';
import { insertReconciliation } from '../../db/repositories/billing/reconciliations.js';
import { ApiError } from '../../domain/errors.js';
import { WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { timestamp, validQuery } from '../http/validate.js';

const ANSWER_WITHIN_MS = 30_000;
const MOST_DAYS = 92;
const DAY_MS = 86_400_000;

const querySchema = joi.object({ from: timestamp.required(), to: timestamp.required() });

/**
 * `GET /v1/reconciliation?from&to` (extension; decisions.md, "Invoices and payments"): processor, ledger and books side
 * by side, for the invoices created in `[from, to)`, of at most 92 days. Asked for again while it is being made, the
 * same one is waited for. Errors: 422; 503 where it takes longer than a request may.
 */
export function reconciliationRoutes(deps: ApiDependencies): Router {
  const { db, temporal, taskQueue } = deps;
  const router = new Router();

  const get: Handler = async (ctx) => {
    const { from, to } = ctx.state.query as { from: Date; to: Date };
    if (to <= from || to.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
      const message = `to must lie after from, by at most ${MOST_DAYS} days.`;
      throw new ApiError('validation_failed', message, { param: 'to' });
    }
    const { workspace_id: workspaceId } = ctx.state.principal;
    const input = { reconciliationId: newId('rec'), workspaceId, notifyOwner: false };
    await insertReconciliation(db.manager, {
      id: input.reconciliationId,
      workspace_id: workspaceId,
      from_at: from,
      to_at: to,
    });
    const id = await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      const range = { from: from.toISOString(), to: to.toISOString() };
      const start = starts(taskQueue).reconciliation(input, range);
      const run = await temporal.workflow.start(WORKFLOWS.reconciliation, start);
      return run.result() as Promise<string>;
    });
    ctx.body = (await findReconciliation(db.manager, id))!.report;
  };

  const mayRead = may('workspace:read', 'read_billing');
  router.get('/v1/reconciliation', ...route(authenticated(deps), mayRead, validQuery(querySchema), get));
  return router;
}
