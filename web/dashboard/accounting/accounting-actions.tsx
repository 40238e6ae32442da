import joi from 'joi';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { validate } from '../../../api/http/validate.js';
import { disconnectAccounting, readChart } from '../../../api/resources/workspaces/accounting.js';
import { requestConsent } from '../../../api/resources/workspaces/connect.js';
import { changeWorkspace, MAX_TAX_CODES } from '../../../api/resources/workspaces/operations.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { changeWorkspace as change } from '../../../commands/workspaces/settings.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';

/** The field with the tax type of a tax code, by the code's place in the list. */
export const taxTypeField = (index: number): string => `tax_type_${index}`;

export const accountingFields = {
  sales_account: text(50).required(),
  payment_account: text(50).required(),
  /** The tax codes that the page was made from, as JSON. */
  tax_codes: text(20_000).required(),
  enabled: joi.valid('on'),
  ...Object.fromEntries(Array.from({ length: MAX_TAX_CODES }, (_, index) => [taxTypeField(index), text(50)])),
};

type AccountingForm = Record<string, string | undefined> & { tax_codes: string };

/** The path of the accounting page. */
export const pathOf = (ctx: ApiContext): string =>
  `/dashboard/${ctx.state.membership!.workspace_id}/accounting`;

/** Saves accounts and tax types like `PATCH /v1/workspace`. */
export function saveFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const form = ctx.state.body as AccountingForm;
    const { sales_account, payment_account, enabled } = form;
    const { principal } = ctx.state;
    const { tax_codes: current } = await presentedWorkspace(deps.db.manager, principal.workspace_id);
    if (JSON.stringify(current) !== form.tax_codes)
      throw new ApiError('validation_failed', 'The tax codes have changed in the meantime. Reload the page.');
    const tax_codes = current.map((taxCode, index) => ({
      ...taxCode,
      accounting_tax_type: form[taxTypeField(index)] ?? taxCode.accounting_tax_type,
    }));
    const accounting = { sales_account, payment_account, enabled: enabled === 'on' };
    const body = validate(changeWorkspace.body!, { accounting, tax_codes }, false);
    const { problems } = (await change(deps.db, principal, body)).accounting;
    const notice = problems.length > 0 ? 'Settings saved, with the problems below.' : 'Settings saved.';
    redirectWithNotice(ctx, pathOf(ctx), notice);
  };
}

/** Shows the link to the consent page of the accounting system. */
export function connectFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { id } = await requestConsent(deps, ctx.state.principal.workspace_id);
    showSection(ctx, {
      title: 'Connect an organisation',
      at: '/accounting',
      children: (
        <div class="card">
          <p>Choose your organisation in Xero and allow access. The link is valid for one hour.</p>
          <a id="consent" href={`${pathOf(ctx)}/${id}`}>
            Continue to Xero
          </a>
        </div>
      ),
    });
  };
}

/** Reads the organisation's accounts and tax types now. */
export function refreshFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await readChart(deps, ctx.state.principal.workspace_id);
    redirectWithNotice(ctx, pathOf(ctx), 'Accounts and tax types updated.');
  };
}

/** Ends the connection. */
export function disconnectFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    await disconnectAccounting(deps, ctx.state.principal);
    redirectWithNotice(ctx, pathOf(ctx), 'Disconnected. Nothing more is sent.');
  };
}
