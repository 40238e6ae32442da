import type { ComponentChildren, ComponentProps } from 'preact';
import { findNextInvoice } from '../../../../db/queries/subscriptions/subscription.js';
import { findMemberFeed } from '../../../../db/queries/feeds/feed.js';
import { findCompany } from '../../../../db/queries/companies/company.js';
import type { StatementRow } from '../../../../db/queries/invoices/issued-statement.js';
import { findMember, type MemberRow } from '../../../../db/queries/members/member.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import { can } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import { listPayerFacts } from '../../invoices/payers/payer.js';
import { latestStatements, statementsPage } from '../../invoices/payers/statements.js';
import { About, FactCard } from '../../shared/action.js';
import { page, type PageProps, type PageRequest } from '../../forms/page.js';
import { pathIn } from '../../shared/paths.js';
import { NoticeAt } from '../../shared/notice.js';
import { ownBookings } from './bookings.js';
import { CalendarAddress, calendarAddressForm } from './calendar-address.js';
import { cardForms, CardForms } from './card.js';
import { ownInvoices } from './invoices.js';
import { planFacts } from './plan.js';
import { signInFacts } from './sign-in.js';

interface Own {
  member: MemberRow;
}

export interface OwnPage extends Own {
  facts: ComponentProps<typeof FactCard>['of'];
  bookings: ComponentChildren;
  invoices: ComponentChildren;
  company: ComponentChildren;
  signIn: ComponentChildren;
  issued: StatementRow[];
  feedUrl: string | null;
}

const statements = statementsPage(
  ({ member }: Own) => ({ of: { company_id: null, member_id: member.id }, email: member.email }),
  'read_own_invoices',
);

const calendarAddress = calendarAddressForm<Own>('read_own_profile', { to: () => '/membership#calendar' });

const findOwn = async (
  { caller }: Pick<PageRequest, 'caller'>,
  { db }: Pick<ApiDependencies, 'db'>,
): Promise<Own> => ({ member: (await findMember(db.manager, caller.workspace_id, caller.member_id))! });

export async function readOwn(request: PageRequest, deps: ApiDependencies): Promise<OwnPage> {
  const { ctx, caller } = request;
  const { workspace_id, member_id, role } = caller;
  const { manager } = deps.db;
  const [{ member }, found, feed] = await Promise.all([
    findOwn(request, deps),
    findWorkspace(manager, workspace_id),
    findMemberFeed(manager, member_id, null),
  ]);
  const workspace = found!;
  const company = member.company_id ? await findCompany(manager, workspace_id, member.company_id) : null;
  const next = await findNextInvoice(manager, { ...workspace, workspace_id }, member_id);
  const payer = { company_id: null, member_id };
  return {
    member,
    facts: [
      ...planFacts({ ctx, member, workspace, next, company }),
      ...listPayerFacts(ctx, member, null, company),
    ],
    bookings: await ownBookings(ctx, manager),
    invoices: await ownInvoices(ctx, deps, payer),
    company: company && can(role, 'read_billing') && (
      <>
        <h2>{company.name}</h2>
        <FactCard of={listPayerFacts(ctx, company, null)} />
        {await ownInvoices(ctx, deps, { company_id: company.id, member_id: null })}
        <p class="links">
          <a href={pathIn(ctx, `/companies/${company.id}`)}>Statements of {company.name}</a>
        </p>
      </>
    ),
    signIn: await signInFacts(manager, ctx.state.session!),
    issued: await latestStatements(manager, workspace_id, payer),
    feedUrl: feed && deps.feedLinks.linkTo(feed),
  };
}

export function OwnMembership(props: PageProps<OwnPage>) {
  const { ctx, data } = props;
  return (
    <div class="columns">
      <aside>
        <About title="Plan" of={data.facts}>
          <a class="button quiet" href={pathIn(ctx, `/members/${data.member.id}`)}>
            Edit profile
          </a>
        </About>
        <section class="about">
          <h2>Card</h2>
          <CardForms page={props} />
        </section>
        <section class="about">
          <h2 id="calendar">Calendar</h2>
          <NoticeAt at="calendar" />
          <CalendarAddress page={props} form={calendarAddress} url={data.feedUrl} of="your bookings" />
        </section>
        <section class="about">
          <h2>Sign-in</h2>
          {data.signIn}
        </section>
      </aside>
      <div>
        {data.bookings}
        <h2>Invoices</h2>
        {data.invoices}
        {data.company}
        <h2>Statements</h2>
        <statements.Shown page={props} issued={data.issued} />
      </div>
    </div>
  );
}

/** A person's own membership. Billing contacts also see the invoices and terms of their company. */
export const membership = [
  page<OwnPage, Own>({
    path: '/membership',
    capability: 'read_own_profile',
    title: 'Your membership',
    find: findOwn,
    load: readOwn,
    view: OwnMembership,
    forms: [...statements.forms, ...cardForms, calendarAddress],
  }),
];
