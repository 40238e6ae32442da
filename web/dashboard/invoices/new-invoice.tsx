import joi from 'joi';
import { createInvoice } from '../../../api/resources/invoices/operations.js';
import {
  findCompany,
  findCompanyByName,
  listCompanies,
  listNamedCompanies,
} from '../../../db/queries/companies/company.js';
import { findMember, findMemberByEmail, listPeople } from '../../../db/queries/members/member.js';
import { findChargeableCard } from '../../../db/queries/invoices/collection.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import { dayIn } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { priceLines, sumTotals } from '../../../domain/invoices/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { memberId, searchText, text, uuid } from '../../../api/http/fields.js';
import { createFormats } from '../../ui/formats.js';
import { form, type Sent } from '../forms/form.js';
import { MAX_SUGGESTED, note, rows, type Suggestion } from '../forms/inputs.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import type { Confirmation } from '../shared/confirmation.js';
import { MissingOnInvoices } from '../workspaces/missing-on-invoices.js';
import { chosenTaxRate, taxOptions } from './invoice-forms.js';

const DUE_DAYS = 14;
const ROWS = 6;

interface NewInvoicePage {
  workspace: Workspace;
  /** Companies by name and members by address, the first of each. */
  payers: Suggestion[];
  /** The payer in the query. */
  payer: string | undefined;
}

/** The company of this name or the member with this address. Errors: 422 on `payer`. */
async function payerNamed({ db }: ApiDependencies, workspaceId: string, payer: string) {
  const company = await findCompanyByName(db.manager, workspaceId, payer);
  if (company) return { company_id: company.id };
  const member = await findMemberByEmail(db.manager, workspaceId, payer);
  if (member) return { member_id: member.id };
  throw new ApiError(
    'validation_failed',
    'No company or member found. Enter a company’s name or a member’s email address, or add the ' +
      'payer under People first.',
    { param: 'payer' },
  );
}

/** The company or member of ids; undefined for one that the workspace does not have. */
async function findNamed(
  { db: { manager } }: ApiDependencies,
  workspaceId: string,
  { company_id, member_id }: { company_id?: string; member_id?: string },
): Promise<{ name: string; email: string | null } | undefined> {
  const company = company_id && (await findCompany(manager, workspaceId, company_id));
  if (company) return { name: company.name, email: company.billing_email };
  return (member_id && (await findMember(manager, workspaceId, member_id))) || undefined;
}

/** Links to the settings where the missing fields are entered. */
const enterMissing = (ctx: ApiContext) => (isOne: boolean) => (
  <>
    <a href={pathIn(ctx, '/settings/invoices')}>Enter {isOne ? 'it' : 'them'} in the settings</a> first.
  </>
);

type Body = Parameters<typeof createInvoice.run>[0]['body'];

async function confirm(
  { body, ctx, data: { workspace } }: Sent<Body, NewInvoicePage>,
  deps: ApiDependencies,
): Promise<Confirmation> {
  const { workspace_id } = ctx.state.membership!;
  const { lines, currency, due_at } = body;
  const totals = sumTotals(priceLines(lines, workspace.tax_codes, currency));
  const payer = { company_id: null, member_id: null, ...body };
  const { name, email } = (await findNamed(deps, workspace_id, body))!;
  const card = await findChargeableCard(deps.db.manager, payer, totals.total_minor);
  const mailed = email
    ? `It is emailed to ${email} immediately, with a payment link.`
    : 'It is not emailed: the payer has no email address.';
  const { amount, day } = createFormats(ctx);
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
        <MissingOnInvoices ctx={ctx} workspace={workspace}>
          {enterMissing(ctx)}
        </MissingOnInvoices>
        <p>
          {name} owes {total}: {amount(totals.net_minor, currency)} plus {amount(totals.tax_minor, currency)}{' '}
          tax, due {day(due_at)}.{charged} {mailed} It gets the next invoice number, so it can be voided but
          not deleted.
        </p>
      </>
    ),
    button: `Create invoice for ${total}`,
  };
}

/** Creates an invoice, after a confirmation with its total. */
const newInvoice = form(
  createInvoice,
  {
    missing: note<NewInvoicePage>(({ ctx, data }) => (
      <MissingOnInvoices ctx={ctx} workspace={data.workspace}>
        {enterMissing(ctx)}
      </MissingOnInvoices>
    )),
    payer: {
      label: 'Company or member’s email',
      suggested: ({ payers }: NewInvoicePage) => payers,
      narrows: true,
      initial: ({ payer }) => payer,
      required: true,
      wide: false,
    },
    due_at: {
      label: 'Due on',
      kind: 'day',
      days: ({ time_zone }) => ({ min: dayIn(time_zone, new Date()) }),
      initial: (_, { time_zone }) => dayIn(time_zone, new Date(Date.now() + DUE_DAYS * DAY_MS)),
    },
    reference: { label: 'Reference', wide: false },
    lines: rows<NewInvoicePage>(ROWS, 'Lines ({currency})', {
      description: { label: 'Description', counts: true },
      quantity: { label: 'Quantity', initial: '1' },
      unit_amount_minor: {
        label: 'Unit price {tax}',
        cell: 'Unit price',
        counts: true,
        empty: '0',
      },
      tax_code: { label: 'Tax', options: ({ workspace }) => taxOptions(workspace.tax_codes) },
    }),
  },
  {
    schema: createInvoice.body!.keys({ payer: text(300).trim().required() }),
    wide: true,
    button: 'Continue',
    taxRate: ({ workspace: { tax_codes } }, line) => chosenTaxRate(tax_codes, line, tax_codes[0]!.code),
    async body({ payer = '', ...entered }, { ctx, currency, deps }) {
      const named = await payerNamed(deps, ctx.state.membership!.workspace_id, payer as string);
      return { ...named, currency, ...entered };
    },
    confirm,
    notice: ({ object: { documents } }) => `Invoice ${documents[0]!.number} has been created.`,
    to: ({ object: { id } }) => `/invoices/${id}`,
  },
);

/** The payer in the query, as text for the input. */
async function payerOfQuery(
  { caller: { workspace_id }, query }: PageRequest,
  deps: ApiDependencies,
): Promise<string | undefined> {
  const named = await findNamed(deps, workspace_id, query);
  return query.company_id ? named?.name : (named?.email ?? undefined);
}

export const newInvoicePage = page({
  path: '/invoices/new',
  at: '/invoices',
  capability: 'write_billing',
  query: joi.object({ member_id: memberId, company_id: uuid, payer: searchText.allow('') }),
  title: 'New invoice',
  async load(request, deps): Promise<NewInvoicePage> {
    const { manager } = deps.db;
    const { workspace_id } = request.caller;
    const q = request.query.payer || undefined;
    const limit = MAX_SUGGESTED;
    const companies = q
      ? await listCompanies(manager, { workspace_id, q, limit })
      : await listNamedCompanies(manager, workspace_id, { ids: [], limit });
    const people = await listPeople(manager, workspace_id, { q, limit });
    return {
      workspace: (await findWorkspace(manager, workspace_id))!,
      payers: [
        ...companies.map(({ name }) => name),
        ...people.map(({ email, name }) => [email, name ?? email] as const),
      ],
      payer: await payerOfQuery(request, deps),
    };
  },
  view: (props: PageProps<NewInvoicePage>) => <newInvoice.Open page={props} />,
  forms: [newInvoice],
});
