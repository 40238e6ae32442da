import { createHash, timingSafeEqual } from 'node:crypto';
import type Router from '@koa/router';
import joi from 'joi';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { limitUnknown } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { validate, validBody } from '../http/validate.js';
import { backfillReferences, backfillSchema, type BackfillBody } from './backfill-references.js';
import { createWorkspace, createWorkspaceSchema, type NewWorkspace } from './create-workspace.js';
import { maintenanceSchema, startMaintenance, type MaintenanceBody } from './maintenance.js';
import {
  resetSecondFactor,
  resetSecondFactorSchema,
  type ResetSecondFactorBody,
} from './reset-second-factor.js';
import { runJob, runJobSchema, type RunJobBody } from './run-job.js';
import { verify, verifyPaymentSchema, type VerifyPaymentBody } from './verify-payment.js';

interface Action {
  schema: joi.ObjectSchema;
  run(deps: ApiDependencies, body: unknown): Promise<unknown>;
}

const ACTIONS: Record<string, Action> = {
  verify_payment: {
    schema: verifyPaymentSchema,
    run: (deps, body) => verify(deps, body as VerifyPaymentBody),
  },
  run_job: { schema: runJobSchema, run: (deps, body) => runJob(deps, body as RunJobBody) },
  maintenance: {
    schema: maintenanceSchema,
    run: (deps, body) => startMaintenance(deps, body as MaintenanceBody),
  },
  backfill_reference: {
    schema: backfillSchema,
    run: (deps, body) => backfillReferences(deps, body as BackfillBody),
  },
  reset_second_factor: {
    schema: resetSecondFactorSchema,
    run: (deps, body) => resetSecondFactor(deps, body as ResetSecondFactorBody),
  },
  create_workspace: {
    schema: createWorkspaceSchema,
    run: (deps, body) => createWorkspace(deps, body as NewWorkspace),
  },
};

const anyAction = joi
  .object({
    action: joi
      .string()
      .valid(...Object.keys(ACTIONS))
      .required(),
  })
  .unknown()
  .required();

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Requires the internal token and refuses requests through a proxy. Errors: 401 `auth_invalid`, 404 `not_found`. */
function internalOnly({ internalToken }: ApiDependencies): Handler {
  return async (ctx, next) => {
    if (ctx.get('x-forwarded-for') || ctx.get('forwarded'))
      throw new ApiError('not_found', 'This path does not exist.');
    const given = ctx.get('authorization');
    if (!internalToken || !timingSafeEqual(digest(given), digest(`Bearer ${internalToken}`))) {
      throw new ApiError(
        'auth_invalid',
        'Send the internal token as "Authorization: Bearer <INTERNAL_TOKEN>".',
      );
    }
    await next();
  };
}

/** Errors: 404 `not_found`. Without it, an unknown workspace would look like one with nothing to do. */
async function assertWorkspace({ db }: ApiDependencies, id: string | undefined): Promise<void> {
  if (id === undefined || (await findWorkspace(db.manager, id))) return;
  throw new ApiError('not_found', 'No such workspace.', { param: 'workspace_id' });
}

/** `POST /internal/actions`: actions of the operator of the service (docs/operations.md#runbook). */
export function internalRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const act: Handler = async (ctx) => {
    const { action } = ctx.state.body as { action: string };
    const { schema, run } = ACTIONS[action]!;
    const body = validate<{ workspace_id?: string }>(schema, ctx.state.body, false);
    await assertWorkspace(deps, body.workspace_id);
    ctx.body = await run(deps, body);
    ctx.status = 200;
  };
  const handlers = route(limitUnknown(deps), internalOnly(deps), validBody(anyAction), act);
  router.post('/internal/actions', ...handlers);
  return router;
}
