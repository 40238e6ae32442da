import { createHash, timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import joi from 'joi';
import { findPaymentByIntent } from '../../db/repositories/billing/payment-queries.js';
import { findBooking } from '../../db/repositories/bookings/booking-queries.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { ApiError } from '../../domain/errors.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import { CONFIRMATION_SOURCES, type ConfirmationSource } from '../../domain/states.js';
import { DAY } from '../../domain/time-zone.js';
import { WORKFLOWS, type Refusal } from '../../workflows/contract.js';
import { starts, type Job } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { route, type Handler } from '../http/context.js';
import { limitUnknown } from '../http/limits.js';
import { text, validate, validBody } from '../http/validate.js';
import { verifyPayment } from '../payments/verify.js';
import { currency, timeZone } from '../rooms/schema.js';
import { backfillReferences } from './backfill-reference.js';
import { createWorkspace, type NewWorkspace } from './create-workspace.js';

const VERIFY_WITHIN_MS = 14_000;

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

const REFUSALS: Record<Refusal['code'], string> = {
  slot_already_paid: 'Another live booking has this slot. The money is on its way back.',
  payment_too_late: 'The money came after the booking had ended. It is on its way back.',
};

/** The jobs of the Schedules, which can also be run by hand. */
const JOBS = {
  self_heal: 'selfHeal',
  subscription_invoices: 'subscriptionInvoices',
  member_cycle: 'memberCycle',
  accounting_sync: 'accountingSync',
} as const satisfies Record<string, Job>;

interface RunJobBody {
  job: keyof typeof JOBS;
  workspace_id?: string;
  as_of?: string;
}

/** A slip of the year would make months of invoices that nobody can take back. */
const MOST_DAYS_AHEAD = 5 * 366;

/** A date of the calendar. */
const date = joi.string().custom((value: string, helpers) => {
  const at = Date.parse(`${value}T00:00:00Z`);
  const written = Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
  if (written !== value) return helpers.message({ custom: '{{#label}} must be a date, such as 2027-01-31' });
  if (at > Date.now() + MOST_DAYS_AHEAD * DAY)
    return helpers.message({ custom: '{{#label}} is more than five years ahead' });
  return value;
});

const schemas = {
  verify_payment: joi.object({
    action: joi.string(),
    payment_intent_id: text(255).min(1).required(),
    source: joi.string().valid(...CONFIRMATION_SOURCES),
  }),
  run_job: joi.object({
    action: joi.string(),
    job: joi
      .string()
      .valid(...Object.keys(JOBS))
      .required(),
    workspace_id: text(64),
    as_of: date,
  }),
  backfill_reference: joi.object({
    action: joi.string(),
    workspace_id: text(64),
    dry_run: joi.boolean(),
  }),
  create_workspace: joi.object({
    action: joi.string(),
    name: text(200).trim().min(1).required(),
    owner_email: text(254).email({ tlds: false }).required(),
    time_zone: timeZone.default('Europe/London'),
    currency: currency.default('GBP'),
    processor_account_id: text(255).pattern(/^acct_\w+$/, 'acct_…'),
    accounting: joi.boolean(),
  }),
};

/** `POST /internal/actions`: what the operator of the service and its own jobs do (contract.md). */
export function internalRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  /** The internal token, and nobody who came through a proxy. */
  const internalOnly: Handler = async (ctx, next) => {
    if (ctx.get('x-forwarded-for') || ctx.get('forwarded'))
      throw new ApiError('not_found', 'There is nothing here.');
    const expected = deps.internalToken;
    const given = ctx.get('authorization');
    if (!expected || !timingSafeEqual(digest(given), digest(`Bearer ${expected}`))) {
      throw new ApiError('auth_invalid', 'Send the internal token as "Authorization: Bearer <token>".');
    }
    await next();
  };

  /** A slip in the id of the workspace must not look as if there were nothing to do. */
  async function assertWorkspace(id: string | undefined): Promise<void> {
    if (id === undefined || (await findWorkspace(deps.db.manager, id))) return;
    throw new ApiError('not_found', 'There is no such workspace.', { param: 'workspace_id' });
  }

  async function verify(input: { payment_intent_id: string; source?: ConfirmationSource }): Promise<unknown> {
    const { payment_intent_id: paymentIntentId, source = 'scheduler_self_heal' } = input;
    const outcome = await verifyPayment(deps, { paymentIntentId, source }, VERIFY_WITHIN_MS);
    switch (outcome.kind) {
      case 'unknown':
        throw new ApiError('payment_not_found', 'Nothing of ours waits for this payment.');
      case 'unpaid':
        throw new ApiError('payment_not_confirmed', 'The processor does not have this money (yet).');
      case 'refused': {
        const { code, ...why } = outcome.refusal;
        throw new ApiError(code, REFUSALS[code], { details: { ...why, payment_intent_id: paymentIntentId } });
      }
      case 'confirmed': {
        const payment = (await findPaymentByIntent(deps.db.manager, paymentIntentId))!;
        const { booking_id, workspace_id } = payment;
        const booking = booking_id ? await findBooking(deps.db.manager, workspace_id, booking_id) : null;
        return {
          booking: booking && presentBooking(booking),
          invoice_id: payment.invoice_id,
          payment_id: payment.id,
          source: payment.source,
          already_confirmed: outcome.already,
        };
      }
    }
  }

  async function runJob({ job, workspace_id, as_of }: RunJobBody): Promise<unknown> {
    const start = starts(deps.taskQueue).byHand(JOBS[job], { workspaceId: workspace_id, asOf: as_of });
    return deps.temporal.workflow.execute(WORKFLOWS[JOBS[job]], start);
  }

  const act: Handler = async (ctx) => {
    const { action } = ctx.state.body as { action: keyof typeof schemas };
    const input: unknown = validate(schemas[action] as joi.Schema, ctx.state.body, false);
    await assertWorkspace((input as { workspace_id?: string }).workspace_id);
    if (action === 'verify_payment') ctx.body = await verify(input as never);
    else if (action === 'run_job') ctx.body = await runJob(input as never);
    else if (action === 'backfill_reference') ctx.body = await backfillReferences(deps, input as never);
    else ctx.body = await createWorkspace(deps, input as NewWorkspace);
    ctx.status = 200;
  };

  const anyAction = joi
    .object({
      action: joi
        .string()
        .valid(...Object.keys(schemas))
        .required(),
    })
    .unknown()
    .required();
  router.post('/internal/actions', ...route(limitUnknown(deps), internalOnly, validBody(anyAction), act));
  return router;
}
