import joi from 'joi';
import { requestStatement } from '../../../../commands/invoices/issue-statement.js';
import type { PayerId } from '../../../../db/queries/payments/card.js';
import type { Day } from '../../../../domain/cycle.js';
import type { Capability } from '../../../../domain/policies.js';
import { ApiError } from '../../../../domain/errors.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { hiddenFields, pathIn } from '../../shared/api-form.js';
import { formIdempotencyKey } from '../../shared/form.js';
import { redirectWithNotice } from '../../shared/notice.js';
import type { FormRoute, Page } from '../../shared/section.js';

/** A payer as the form finds it in the path. */
type FindPayer = (ctx: ApiContext, deps: ApiDependencies) => Promise<{ of: PayerId; email: string | null }>;

interface StatementForm {
  from: Day;
  to: Day;
  mailed?: 'on';
}

/**
 * The form that issues a statement of a payer, and mails it if asked to; submitted twice it does so once.
 * `to`: the page to show afterwards. Errors: those of `requestStatement`; 422 for a payer without an address;
 * 429 for mail that was sent to the same address a short time ago.
 */
const issue =
  (find: FindPayer, to: (ctx: ApiContext) => string): Page =>
  (deps) =>
  async (ctx) => {
    const { mailed, ...period } = ctx.state.body as StatementForm;
    const [from, last] = [dayOf(period.from), dayOf(period.to)];
    const { of: payer, email } = await find(ctx, deps);
    if (mailed && !email) throw new ApiError('validation_failed', 'This payer has no email address.');
    const asked = { payer, email: mailed ? email : null, from, to: last };
    await requestStatement(deps.db, deps.mailQuotas, ctx.state.principal, asked, formIdempotencyKey(ctx));
    const sent = mailed ? ` It is being emailed to ${email}.` : '';
    redirectWithNotice(ctx, pathIn(ctx, to(ctx)), `Statement issued.${sent}`);
  };

/** The form's value becomes a time of that day in UTC. */
const day = joi.string().isoDate().required();
const dayOf = (at: string): Day => at.slice(0, 10);

/** `capability`: what a role needs, if `find` does not say it. */
export const statementForm = (
  find: FindPayer,
  to: (ctx: ApiContext) => string,
  capability: Capability = 'read_own_invoices',
): FormRoute => [
  '/statements',
  { ...hiddenFields, form_id: hiddenFields.form_id.required(), from: day, to: day, mailed: joi.valid('on') },
  issue(find, to),
  capability,
];
