import Router from '@koa/router';
import joi from 'joi';
import { WorkflowFailedError } from '@temporalio/client';
import type { Workspace } from '../../db/rows.js';
import {
  type AccountingConnection,
  accountingOf,
  findConnection,
} from '../../db/repositories/accounting/connection-queries.js';
import { enableConnection } from '../../db/repositories/accounting/connections.js';
import { auditEdit } from '../../db/repositories/workspaces/audit.js';
import { findWorkspace, processorOf } from '../../db/repositories/workspaces/workspace-queries.js';
import { lockWorkspace, updateWorkspace } from '../../db/repositories/workspaces/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { MAX_AMOUNT_MINOR } from '../../domain/money.js';
import { TIERS } from '../../domain/price.js';
import { WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { text, timestamp, validBody } from '../http/validate.js';
import { currency, timeZone } from '../rooms/schema.js';
import { askForConsent } from './accounting.js';

const ONBOARD_WITHIN_MS = 14_000;

const monthlyPrice = joi.number().integer().min(0).max(MAX_AMOUNT_MINOR);

const updateSchema = joi
  .object({
    name: text(200).trim().min(1),
    time_zone: timeZone,
    currency,
    checkout_hold_seconds: joi.number().integer().min(10).max(86_400),
    tax_codes: joi
      .array()
      .items(
        joi.object({
          code: text(50).min(1).required(),
          rate_bps: joi.number().integer().min(0).max(10_000).required(),
          accounting_tax_type: text(50).min(1).required(),
        }),
      )
      .unique('code')
      .min(1)
      .max(50),
    tier_prices: joi.object(Object.fromEntries(TIERS.map((tier) => [tier, monthlyPrice]))),
    return_url: text(2_000)
      .uri({ scheme: ['http', 'https'] })
      .allow(null),
    invoice_details: text(1_000).allow(null),
    maintenance: joi
      .object({ starts_at: timestamp.required(), ends_at: timestamp.required() })
      .allow(null)
      .custom((value: Maintenance | null, helpers) =>
        value && (value.ends_at <= value.starts_at || value.ends_at.getTime() < Date.now())
          ? helpers.message({ custom: '{{#label}} must end after it begins, and not in the past' })
          : value,
      ),
    accounting: joi.object({ enabled: joi.boolean().required() }),
  })
  .min(1)
  .required();

/** A time in which the API answers 503 `maintenance` to the workspace's keys; webhooks and payers' pages go on. */
interface Maintenance {
  starts_at: Date;
  ends_at: Date;
}

type UpdateBody = Partial<Workspace> & {
  accounting?: { enabled: boolean };
  maintenance?: Maintenance | null;
};

const maintenanceOf = ({ maintenance_starts_at: starts, maintenance_ends_at: ends }: Workspace) =>
  starts && ends && { starts_at: starts.toISOString(), ends_at: ends.toISOString() };

const presentWorkspace = (workspace: Workspace, accounting: AccountingConnection | null) => ({
  id: workspace.id,
  name: workspace.name,
  time_zone: workspace.time_zone,
  currency: workspace.currency,
  checkout_hold_seconds: workspace.checkout_hold_seconds,
  processor: processorOf(workspace),
  accounting: accountingOf(accounting),
  tax_codes: workspace.tax_codes,
  tier_prices: workspace.tier_prices,
  invoice_details: workspace.invoice_details,
  return_url: workspace.return_url,
  maintenance: maintenanceOf(workspace),
  created_at: workspace.created_at.toISOString(),
  updated_at: workspace.updated_at.toISOString(),
});

/** The calling token's workspace, its settings and its onboarding (decisions.md, "Rooms, companies, workspace"). */
export function workspaceRoutes(deps: ApiDependencies): Router {
  const { db, temporal, taskQueue, publicUrl } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  const shown = async (tx: Tx, id: string) =>
    presentWorkspace((await findWorkspace(tx, id))!, await findConnection(tx, id));

  const get: Handler = async (ctx) => {
    ctx.body = await shown(db.manager, ctx.state.principal.workspace_id);
  };

  const update: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const { workspace_id: id } = principal;
    ctx.body = await transaction(db, async (tx) => {
      const workspace = (await lockWorkspace(tx, { id }))!;
      const before = await shown(tx, id);
      const { accounting, maintenance, ...changes } = ctx.state.body as UpdateBody;
      if (maintenance !== undefined) {
        changes.maintenance_starts_at = maintenance && maintenance.starts_at;
        changes.maintenance_ends_at = maintenance && maintenance.ends_at;
      }
      // A tier that isn't named keeps its price.
      if (changes.tier_prices) changes.tier_prices = { ...workspace.tier_prices, ...changes.tier_prices };
      await updateWorkspace(tx, id, changes);
      if (accounting && !(await enableConnection(tx, id, accounting.enabled)))
        throw new ApiError('accounting_unconfigured', 'Connect the workspace to its books first.');
      const after = await shown(tx, id);
      await auditEdit(tx, principal, { action: 'workspace.updated', object: id, before, after });
      return after;
    });
  };

  /** Answers `{url}` of the processor's hosted onboarding, on a connected account made for this workspace. */
  const onboard: Handler = async (ctx) => {
    const { workspace_id: workspaceId } = ctx.state.principal;
    const start = starts(taskQueue).processorOnboarding({
      workspaceId,
      returnUrl: `${publicUrl}/onboarding/done`,
      refreshUrl: `${publicUrl}/onboarding/again`,
    });
    try {
      ctx.body = await temporal.withDeadline(Date.now() + ONBOARD_WITHIN_MS, async () => {
        const run = await temporal.workflow.start(WORKFLOWS.processorOnboarding, start);
        return run.result() as Promise<{ url: string }>;
      });
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error;
      throw new ApiError('processor_error', 'The payment processor did not start the onboarding.');
    }
  };

  /** Answers `{url}` of the accounting system's consent page (extension; decisions.md, "Accounting"). */
  const connect: Handler = async (ctx) => {
    ctx.body = { url: await askForConsent(deps, ctx.state.principal.workspace_id) };
  };

  router.get('/v1/workspace', ...route(signedIn, may('workspace:read', 'read_workspace'), get));
  const mayWrite = may('workspace:write', 'write_workspace');
  router.patch('/v1/workspace', ...route(signedIn, mayWrite, validBody(updateSchema), update));
  router.post('/v1/workspace/processor/onboarding', ...route(signedIn, mayWrite, onboard));
  router.post('/v1/workspace/accounting/connect', ...route(signedIn, mayWrite, connect));
  return router;
}
