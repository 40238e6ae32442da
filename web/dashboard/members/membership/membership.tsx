import { findNextInvoice } from '../../../../db/queries/subscriptions/subscription.js';
import { findFeedOf } from '../../../../db/queries/feeds/feed.js';
import { findCompany } from '../../../../db/queries/companies/company.js';
import { findMember } from '../../../../db/queries/members/member.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import { can } from '../../../../domain/policies.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { Handler } from '../../../../api/http/context.js';
import { payerFactsOf } from '../../invoices/payers/payer.js';
import { payerStatements } from '../../invoices/payers/statements.js';
import { Facts } from '../../shared/action.js';
import { pathIn } from '../../shared/api-form.js';
import { NoticeAt } from '../../shared/notice.js';
import { showSection } from '../../shared/workspace.js';
import { ownBookings } from './bookings.js';
import { CalendarAddress } from './calendar-address.js';
import { CardForms } from './card.js';
import { ownInvoices } from './invoices.js';
import { planFacts } from './plan.js';
import { signInFacts } from './sign-in.js';

/**
 * `GET /dashboard/:workspace/membership`: what a person has and does in a workspace. A billing contact also
 * sees the invoices and terms of their company.
 */
export function showMembership(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id, role } = ctx.state.membership!;
    const { manager } = deps.db;
    const [member, workspace, feed] = await Promise.all([
      findMember(manager, workspace_id, member_id),
      findWorkspace(manager, workspace_id),
      findFeedOf(manager, member_id, null),
    ]);
    const { company_id, card } = member!;
    const company = company_id ? await findCompany(manager, workspace_id, company_id) : null;
    const next = await findNextInvoice(manager, { ...workspace!, workspace_id }, member_id);
    const invoices = await ownInvoices(ctx, deps, { company_id: null, member_id });
    const seesCompany = company && can(role, 'read_billing');
    showSection(ctx, {
      title: 'Your membership',
      at: '/membership',
      children: (
        <>
          <Facts
            of={[
              ...planFacts({ ctx, member: member!, workspace: workspace!, next, company }),
              ...payerFactsOf(ctx, member!, null, company),
            ]}
          />
          <p class="links">
            <a href={pathIn(ctx, `/members/${member_id}`)}>Name and email address</a>
          </p>
          {await ownBookings(ctx, manager)}
          <h2>Your invoices</h2>
          {invoices}
          {seesCompany && (
            <>
              <h2>{company.name}</h2>
              <Facts of={payerFactsOf(ctx, company, null)} />
              {await ownInvoices(ctx, deps, { company_id: company.id, member_id: null })}
              <p class="links">
                <a href={pathIn(ctx, `/companies/${company.id}`)}>Statements of {company.name}</a>
              </p>
            </>
          )}
          <h2>Your statements</h2>
          {await payerStatements(ctx, deps, {
            of: { company_id: null, member_id },
            at: pathIn(ctx, '/membership'),
            email: member!.email,
          })}
          <h2>Your card</h2>
          <CardForms ctx={ctx} card={card} />
          <h2 id="calendar">Your calendar</h2>
          <NoticeAt at="calendar" />
          <CalendarAddress
            ctx={ctx}
            url={feed && deps.feedLinks.linkTo(feed)}
            of="your bookings"
            at="/membership"
          />
          <h2>Your sign-in</h2>
          {await signInFacts(manager, ctx.state.session!)}
        </>
      ),
    });
  };
}
