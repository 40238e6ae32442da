import joi from 'joi';
import { findCompanyByName, findCompany, listCompanies } from '../../../db/queries/companies/company.js';
import { findMember, findMemberByEmail } from '../../../db/queries/members/member.js';
import { findChargeableCard } from '../../../db/queries/invoices/collection.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { priceLines, totalsOf, type LineRequest } from '../../../domain/invoices/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { memberId, text, uuid } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/invoices/create.js';
import type { presentWithLink } from '../../../api/resources/invoices/read.js';
import { createSchema, type CreateBody } from '../../../api/resources/invoices/shape.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { amountEntered } from '../shared/money-field.js';
import { MissingOnInvoices } from '../workspaces/missing-on-invoices.js';
import { showSection } from '../shared/workspace.js';
import { taxOptions } from './invoice-actions.js';
import { LineRows } from './line-rows.js';
import { inputOf, textFields } from '../shared/declared-fields.js';

const DUE_DAYS = 14;
const MAX_SUGGESTED = 200;

export const newInvoiceQuery = joi.object({ member_id: memberId, company_id: uuid });

/** The values of a column of the lines. */
const column = joi.array().items(text(1_000).allow('')).single().max(50).default([]);

export const newInvoiceFields = {
  ...hiddenFields,
  payer: text(300).trim().required(),
  due_at: joi.string().isoDate().required(),
  ...textFields(createSchema, 'reference'),
  description: column,
  quantity: column,
  unit_amount_minor: column,
  tax_code: column,
};

interface NewInvoiceForm {
  payer: string;
  due_at: string;
  reference?: string;
  description: string[];
  quantity: string[];
  unit_amount_minor: string[];
  tax_code: string[];
}

/** The company of this name or the member with this address. Errors: 422 on `payer`. */
async function payerNamed({ db }: ApiDependencies, workspaceId: string, payer: string) {
  const company = await findCompanyByName(db.manager, workspaceId, payer);
  if (company) return { name: company.name, email: company.billing_email, id: { company_id: company.id } };
  const member = await findMemberByEmail(db.manager, workspaceId, payer);
  if (member) return { name: member.name, email: member.email, id: { member_id: member.id } };
  throw new ApiError(
    'validation_failed',
    'No company or member found. Enter a company’s name or a member’s email address, or add the ' +
      'payer under People first.',
    { param: 'payer' },
  );
}

/** The rows of the form that are filled in. */
function linesOf(form: NewInvoiceForm, currency: string): LineRequest[] {
  const rows = form.description.map((description, index) => ({
    description,
    quantity: form.quantity[index] ?? '',
    amount: form.unit_amount_minor[index] ?? '',
    tax_code: form.tax_code[index] ?? '',
  }));
  return rows
    .filter(({ description, amount }) => description !== '' || amount !== '')
    .map(({ description, quantity, amount, tax_code }) => ({
      description,
      quantity: Number(quantity || '1'),
      unit_amount_minor: amountEntered(amount, currency, 'unit_amount_minor') ?? 0,
      tax_code,
    }));
}

/** Where what is missing on invoices is entered. */
const enterMissing = (ctx: ApiContext) => (isOne: boolean) => (
  <>
    <a href={pathIn(ctx, '/settings#invoices')}>Enter {isOne ? 'it' : 'them'} under Workspace</a> first.
  </>
);

/** Creates an invoice like `POST /v1/invoices`, after a confirmation with its total. */
export const createForm = apiForm<NewInvoiceForm, ReturnType<typeof presentWithLink>>({
  handler: create,
  schema: createSchema,
  async body(form, ctx, deps) {
    const { workspace_id, time_zone, currency } = ctx.state.membership!;
    const { id } = await payerNamed(deps, workspace_id, form.payer);
    return {
      ...id,
      currency,
      due_at: startOfDay(form.due_at, time_zone).toISOString(),
      lines: linesOf(form, currency),
      reference: form.reference || null,
    };
  },
  async confirm(form, ctx, deps) {
    const { workspace_id } = ctx.state.membership!;
    const { lines, currency, due_at } = ctx.state.body as CreateBody;
    const workspace = await findWorkspace(deps.db.manager, workspace_id);
    const totals = totalsOf(priceLines(lines, workspace!.tax_codes, currency));
    const { name, email, id } = await payerNamed(deps, workspace_id, form.payer);
    const payer = { company_id: null, member_id: null, ...id, currency };
    const card = await findChargeableCard(deps.db.manager, payer, totals.total_minor);
    const mailed = email
      ? `It is emailed to ${email} immediately, with a payment link.`
      : 'It is not emailed: the payer has no email address.';
    const { amount, day } = formatsOf(ctx);
    const total = amount(totals.total_minor, currency);
    const charged = !card
      ? ''
      : due_at <= new Date()
        ? ` ${total} is charged to the card ending in ${card.last4} immediately.`
        : ` ${total} is charged to the card ending in ${card.last4} on ${day(due_at)}, ` +
          'unless it has been paid.';
    return {
      title: `Create invoice for ${total}`,
      at: '/invoices',
      effects: (
        <>
          <MissingOnInvoices workspace={workspace!}>{enterMissing(ctx)}</MissingOnInvoices>
          <p>
            {name} owes {total}: {amount(totals.net_minor, currency)} and {amount(totals.tax_minor, currency)}{' '}
            of tax, due {day(due_at)}.{charged} {mailed} It gets the next invoice number, so it can be voided
            but not deleted.
          </p>
        </>
      ),
      button: `Create invoice for ${total}`,
    };
  },
  notice: ({ documents: [invoice] }) => `Invoice ${invoice!.number} has been created.`,
  to: (_ctx, { id }) => `/invoices/${id}`,
});

/** The text that names the payer of the address's query. */
async function payerOfQuery({ db }: ApiDependencies, ctx: ApiContext): Promise<string | undefined> {
  const { workspace_id } = ctx.state.membership!;
  const { member_id, company_id } = ctx.state.query as { member_id?: string; company_id?: string };
  if (company_id) return (await findCompany(db.manager, workspace_id, company_id))?.name;
  return member_id && (await findMember(db.manager, workspace_id, member_id))?.email;
}

/** `GET /dashboard/:workspace/invoices/new`: the form of a new invoice. */
export function showNewInvoice(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, currency } = ctx.state.membership!;
    const { manager } = deps.db;
    const workspace = await findWorkspace(manager, workspace_id);
    const companies = await listCompanies(manager, { workspace_id, limit: MAX_SUGGESTED });
    showSection(ctx, {
      title: 'New invoice',
      at: '/invoices',
      children: (
        <Form class="card wide" ctx={ctx} action={pathIn(ctx, '/invoices/new')} once>
          <MissingOnInvoices workspace={workspace!}>{enterMissing(ctx)}</MissingOnInvoices>
          <div class="grid">
            <div>
              <TextField
                name="payer"
                label="Payer (company name or member’s email)"
                list="companies"
                required
                value={await payerOfQuery(deps, ctx)}
                maxLength={300}
              />
            </div>
            <div>
              <TextField
                name="due_at"
                label="Due on"
                type="date"
                required
                min={dayAfter(dayIn(time_zone, new Date(Date.now() - DAY_MS)))}
                value={dayIn(time_zone, new Date(Date.now() + DUE_DAYS * DAY_MS))}
              />
            </div>
            <div>
              <TextField {...inputOf(createSchema, 'reference')} label="Reference (optional)" />
            </div>
          </div>
          <datalist id="companies">
            {companies.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
          <h2>Lines, in {currency}</h2>
          <LineRows ctx={ctx} taxes={taxOptions(workspace!.tax_codes)} />
          <p class="hint">Empty lines are ignored.</p>
          <button>Continue</button>
        </Form>
      ),
    });
  };
}
