import { createHash, timingSafeEqual } from 'node:crypto';
import type Router from '@koa/router';
import type { System } from '../../commands/audit-log/audit.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { notForwarded } from '../http/client.js';
import { route, type Handler } from '../http/context.js';
import { text } from '../http/fields.js';
import { limitUnknown } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { object, oneOf, type Infer, type Typed } from '../http/typed.js';
import { validate, validBody } from '../http/validate.js';
import { backfillReferences, backfillSchema } from './backfill-references.js';
import { createWorkspace, createWorkspaceSchema } from './create-workspace.js';
import { holdMail, mailHoldSchema, releaseMail } from './mail-holds.js';
import { maintenanceSchema, startMaintenance } from './maintenance.js';
import { resetSecondFactor, resetSecondFactorSchema } from './reset-second-factor.js';
import { runJob, runJobSchema } from './run-job.js';
import { verify, verifyPaymentSchema } from './verify-payment.js';

interface Action {
  schema: Typed<unknown>;
  run(deps: ApiDependencies, body: unknown, by: System): Promise<unknown>;
}

/** An action whose function takes what its schema validates. */
const action = <Body>(
  schema: Typed<Body>,
  run: (deps: ApiDependencies, body: Body, by: System) => Promise<unknown>,
): Action => ({ schema, run: (deps, body, by) => run(deps, body as Body, by) });

/** Each has its command in `deploy/operator/commands.ts`. */
export const ACTIONS: Record<string, Action> = {
  verify_payment: action(verifyPaymentSchema, verify),
  run_job: action(runJobSchema, runJob),
  maintenance: action(maintenanceSchema, startMaintenance),
  hold_mail: action(mailHoldSchema, holdMail),
  release_mail: action(mailHoldSchema, releaseMail),
  backfill_reference: action(backfillSchema, backfillReferences),
  reset_second_factor: action(resetSecondFactorSchema, resetSecondFactor),
  create_workspace: action(createWorkspaceSchema, createWorkspace),
};

/** The fields of every action. `operator` is the name of the person who requests it, for the audit log. */
const anyAction = object({ action: oneOf(Object.keys(ACTIONS)), operator: text(200).trim().min(1) }, 'action')
  .unknown()
  .required();

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Requires the internal token. Errors: 401 `auth_invalid`. */
function internalOnly({ internalToken }: ApiDependencies): Handler {
  return async (ctx, next) => {
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

/**
 * Errors: 404 `not_found`. Without this check, an unknown workspace would look like a workspace with nothing
 * to do.
 */
async function assertWorkspace({ db }: ApiDependencies, id: string | undefined): Promise<void> {
  if (id === undefined || (await findWorkspace(db.manager, id))) return;
  throw new ApiError('not_found', 'No such workspace.', { param: 'workspace_id' });
}

/**
 * `POST /internal/actions`, on a port of its own: actions of the operator of the service
 * (docs/guides/operator-commands.md#internal-actions).
 */
export function internalRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const act: Handler<Infer<typeof anyAction>> = async (ctx) => {
    const { operator, ...fields } = ctx.state.body;
    const { schema, run } = ACTIONS[fields.action]!;
    const body = validate(schema, fields, false) as { workspace_id?: string };
    await assertWorkspace(deps, body.workspace_id);
    ctx.body = await run(deps, body, { system: 'operator', operator });
    ctx.status = 200;
  };
  const handlers = route(limitUnknown(deps), notForwarded, internalOnly(deps), validBody(anyAction, act));
  router.post('/internal/actions', ...handlers);
  return router;
}
