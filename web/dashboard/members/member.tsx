import type { ComponentChildren } from 'preact';
import type { Company } from '../../../db/entities/members.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { changeMember } from '../../../api/resources/members/operations.js';
import { memberFor } from '../../../commands/members/administer.js';
import { hasSecondFactor } from '../../../commands/sign-in/reset-second-factor.js';
import { findCompany } from '../../../db/queries/companies/company.js';
import { listInvoices, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import { findCardSetupToShow } from '../../../db/queries/payments/card.js';
import { hasSsoSubject } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { findNextInvoice } from '../../../db/queries/subscriptions/subscription.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { planName } from '../../../domain/members/plans.js';
import { presentMember } from '../../../domain/members/presenter.js';
import { can } from '../../../domain/policies.js';
import { LANGUAGE_NAMES } from '../../../domain/words/languages.js';
import { createFormats, sentenceCase } from '../../ui/formats.js';
import { nextBookings } from '../bookings/next-bookings.js';
import { readCompanies } from '../companies/choice.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { owedBy, listPayerFacts } from '../invoices/payers/payer.js';
import { latestStatements } from '../invoices/payers/statements.js';
import { About, Details } from '../shared/action.js';
import { taxWords } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';
import {
  AccessActions,
  EditMember,
  forgetLogin,
  mayForgetLogin,
  memberForms,
  PaymentActions,
  PlanActions,
  statements,
  type Found,
} from './member-forms.js';
import { describeHourCredits, nextInvoiceFacts } from './membership/plan.js';
import { mayResetSecondFactor, resetSecondFactor } from './reset-second-factor.js';
import { planPrice, tierOptions } from './tier-options.js';

const INVOICES_SHOWN = 5;

const editMetadata = metadataForm(changeMember, ({ member }: Found) => member, 'update_others');

interface OnePage extends Found {
  /** Balance and payment terms, for those who may see them. */
  billing: (readonly [string, ComponentChildren])[];
  /** Who pays for their plan and what is invoiced next, for those who may see it. */
  company: Company | null;
  next: Awaited<ReturnType<typeof findNextInvoice>>;
  /** Their latest statements, if they pay themselves and the caller may see them. */
  issued: StatementRow[] | null;
  bookings: ComponentChildren;
  invoices: InvoiceRow[];
  hasSecondFactor: boolean;
  hasSsoLogin: boolean;
}

async function findOne(
  { ctx, caller, params }: Pick<PageRequest, 'ctx' | 'caller' | 'params'>,
  { db }: Pick<ApiDependencies, 'db'>,
): Promise<Found> {
  const { manager } = db;
  const row = await memberFor(manager, caller, params.id!);
  const { workspace_id, role } = caller;
  const workspace = (await findWorkspace(manager, workspace_id))!;
  const companies = can(role, 'read_payers')
    ? await readCompanies({ caller }, { db }, row.company_id ? [row.company_id] : [])
    : [];
  return {
    caller,
    row,
    member: presentMember(row),
    workspace,
    companies,
    tiers: tierOptions(ctx, workspace),
  };
}

async function readOne(request: PageRequest, deps: ApiDependencies): Promise<OnePage> {
  const { ctx, caller } = request;
  const { manager } = deps.db;
  const found = await findOne(request, deps);
  const { row } = found;
  const { workspace_id, company_id } = row;
  const payer = { company_id: null, member_id: row.id };
  const seesBilling = row.id === caller.member_id || can(caller.role, 'read_payers');
  const [setup, company] = seesBilling
    ? [
        await findCardSetupToShow(manager, payer),
        company_id ? await findCompany(manager, workspace_id, company_id) : null,
      ]
    : [null, null];
  return {
    ...found,
    billing: seesBilling
      ? [await owedBy(manager, workspace_id, payer), ...listPayerFacts(ctx, row, setup, company)]
      : [],
    company,
    next: seesBilling ? await findNextInvoice(manager, { ...found.workspace, workspace_id }, row.id) : null,
    issued: seesBilling && !company_id ? await latestStatements(manager, workspace_id, payer) : null,
    bookings: await nextBookings(ctx, deps, { member_id: row.id }, `q=${encodeURIComponent(row.email)}`),
    invoices: can(caller.role, 'read_billing')
      ? await listInvoices(manager, { workspace_id, member_id: row.id, limit: INVOICES_SHOWN })
      : [],
    hasSecondFactor: await hasSecondFactor(manager, row.id),
    hasSsoLogin: await hasSsoSubject(manager, row.id),
  };
}

function Plan({ page }: { page: PageProps<OnePage> }) {
  const { row, workspace } = page.data;
  const { day } = createFormats(page.ctx);
  const price = planPrice(page.ctx, workspace);
  const { tier, pending_tier, pending_tier_at, joined_at, trial_ends_at } = row;
  const hours = describeHourCredits({ ctx: page.ctx, member: row, workspace });
  return (
    <About
      title="Plan"
      of={[
        [
          'Plan',
          <>
            {planName(workspace.plans, tier)}, {price(tier)} a month {taxWords(page.ctx)}
            {pending_tier && (
              <small>
                {planName(workspace.plans, pending_tier)}, {price(pending_tier)}, from {day(pending_tier_at!)}
              </small>
            )}
          </>,
        ],
        ['Pays for it', row.billed ? 'yes' : 'no: not invoiced'],
        ...nextInvoiceFacts({ ...page.data, ctx: page.ctx, member: row }),
        hours !== null && ['Hour credits', hours],
        joined_at && ['Joined', day(joined_at)],
        trial_ends_at && ['Trial ends', day(trial_ends_at)],
      ]}
    >
      <PlanActions page={page} />
    </About>
  );
}

/** Who they are and what they can do. */
function Person({ page }: { page: PageProps<OnePage> }) {
  const { ctx, data } = page;
  const { row } = data;
  const { company_id, company_name } = row;
  return (
    <About
      title="Member"
      of={[
        ['Status', <Status value={row.status} />],
        ['Email', row.email],
        ['Role', sentenceCase(row.role)],
        company_id && [
          'Company',
          can(ctx.state.membership!.role, 'read_payers') ? (
            <a href={pathIn(ctx, `/companies/${company_id}`)}>{company_name}</a>
          ) : (
            company_name
          ),
        ],
        row.locale && ['Language', LANGUAGE_NAMES[row.locale]],
      ]}
    >
      <AccessActions page={page}>
        {data.hasSsoLogin && mayForgetLogin(data) && (
          <forgetLogin.Drawer page={page} quiet>
            <p>
              For a new account of {row.name} at your identity provider. They are signed out of single
              sign-on, and the next provider account that signs in with {row.email} is linked to them. Make
              sure this address belongs to them at the provider.
            </p>
          </forgetLogin.Drawer>
        )}
        {data.hasSecondFactor && mayResetSecondFactor(data) && <resetSecondFactor.Drawer page={page} quiet />}
      </AccessActions>
    </About>
  );
}

function OneMember(props: PageProps<OnePage>) {
  const { ctx, data } = props;
  const { row, bookings, billing, invoices, issued } = data;
  const { role } = ctx.state.membership!;
  return (
    <div class="columns">
      <aside>
        <Person page={props} />
        <Plan page={props} />
        {billing.length > 0 && (
          <About title="Payment" of={billing}>
            <PaymentActions page={props} />
          </About>
        )}
        <MetadataSection page={props} of={row.metadata} form={editMetadata} />
        <Details of={[['ID', <Id of={row.id} />]]} />
      </aside>
      <div>
        {bookings}
        {can(role, 'read_billing') && (
          <>
            <h2>Invoices</h2>
            <InvoiceTable ctx={ctx} invoices={invoices} />
            <p class="links">
              <a href={pathIn(ctx, `/invoices?member_id=${row.id}`)}>All invoices</a>
              {can(role, 'write_billing') && !row.company_id && (
                <a href={pathIn(ctx, `/invoices/new?member_id=${row.id}`)}>New invoice</a>
              )}
            </p>
          </>
        )}
        {issued && (
          <>
            <h2>Statements</h2>
            <statements.Shown page={props} issued={issued} />
          </>
        )}
      </div>
    </div>
  );
}

/** A member with what can be changed; for every member their own profile: the operations check the rest. */
export const memberPage = page<OnePage, Found>({
  path: '/members/:id',
  capability: 'read_own_profile',
  title: ({ row }) => row.name,
  primary: (page) => <EditMember page={page} />,
  find: findOne,
  load: readOne,
  view: OneMember,
  forms: [...memberForms, editMetadata, resetSecondFactor],
});
