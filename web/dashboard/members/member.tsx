import { hasSecondFactor } from '../../../commands/sign-in/reset-second-factor.js';
import { findCardSetupToShow } from '../../../db/queries/payments/card.js';
import { findCompany, listCompanies } from '../../../db/queries/companies/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { whyNotEdit } from '../../../domain/members/edit.js';
import { can, whyNotCardOf } from '../../../domain/policies.js';
import { planName } from '../../../domain/members/plans.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { hoursInWords } from './membership/plan.js';
import { nextBookings } from '../bookings/next-bookings.js';
import { payerStatements } from '../invoices/payers/statements.js';
import { owedBy, PayerCard, payerFactsOf, PayerTerms } from '../invoices/payers/payer.js';
import { Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { formatsOf, sentenceCase } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { MAX_COMPANIES } from './members.js';
import { forgetLogin } from './forget-login.js';
import { ResetSecondFactor } from './reset-second-factor.js';
import { memberForm } from './member-fields.js';
import { EditDetails, Administration } from './member-actions.js';

/**
 * `GET /dashboard/:workspace/members/:id`: a member with what can be changed; for every
 * member their own profile.
 */
export function showMember(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const member = await memberOf(ctx, deps);
    const { workspace_id, role } = ctx.state.membership!;
    const { manager } = deps.db;
    const workspace = (await findWorkspace(manager, workspace_id))!;
    const companies = can(role, 'read_payers')
      ? await listCompanies(manager, { workspace_id, limit: MAX_COMPANIES })
      : [];
    const at = pathIn(ctx, `/members/${member.id}`);
    const own = member.id === ctx.state.membership!.member_id;
    const seesBilling = own || can(role, 'read_payers');
    const setup = seesBilling
      ? await findCardSetupToShow(manager, { company_id: null, member_id: member.id })
      : null;
    const company =
      member.company_id && seesBilling ? await findCompany(manager, workspace_id, member.company_id) : null;
    const protectedByCode = await hasSecondFactor(manager, member.id);
    const { amount, day } = formatsOf(ctx);
    const { tier, pending_tier, pending_tier_at, company_id, company_name, joined_at, trial_ends_at } =
      member;
    const props = { ctx, member, workspace, companies };
    const hours = hoursInWords(props);
    showSection(ctx, {
      title: member.name,
      at: '/members',
      children: (
        <>
          <Facts
            of={[
              ['Status', <Status value={member.status} />],
              ...memberForm.facts(member),
              [
                'Plan',
                <>
                  {planName(workspace.plans, tier)}, {amount(workspace.tier_prices[tier], workspace.currency)}{' '}
                  a month excluding tax
                  {pending_tier && (
                    <small>
                      {planName(workspace.plans, pending_tier)},{' '}
                      {amount(workspace.tier_prices[pending_tier], workspace.currency)}, from{' '}
                      {day(pending_tier_at!)}
                    </small>
                  )}
                </>,
              ],
              hours !== null && ['Hour credits', hours],
              ['Role', sentenceCase(member.role)],
              company_id && [
                'Company',
                can(role, 'read_payers') ? (
                  <a href={pathIn(ctx, `/companies/${company_id}`)}>{company_name}</a>
                ) : (
                  company_name
                ),
              ],
              trial_ends_at && ['Trial ends', day(trial_ends_at)],
              joined_at && ['Joined', day(joined_at)],
              ...(seesBilling
                ? [
                    await owedBy(manager, workspace_id, { company_id: null, member_id: member.id }),
                    ...payerFactsOf(ctx, member, setup, company),
                  ]
                : []),
              ['ID', <Id of={member.id} />],
            ]}
          />
          <p class="links">
            {can(role, 'read_billing') && (
              <a href={pathIn(ctx, `/invoices?member_id=${member.id}`)}>Invoices</a>
            )}
            {can(role, 'write_billing') && !company_id && (
              <a href={pathIn(ctx, `/invoices/new?member_id=${member.id}`)}>New invoice</a>
            )}
          </p>
          {await nextBookings(ctx, deps, { member_id: member.id }, `q=${encodeURIComponent(member.email)}`)}
          {seesBilling && !company_id && (
            <>
              <h2>Statements</h2>
              {await payerStatements(ctx, deps, {
                of: { company_id: null, member_id: member.id },
                at,
                email: member.email,
              })}
            </>
          )}
          <div class="card">
            <EditDetails {...props} />
            {!whyNotEdit(ctx.state.membership!, member, { payment_terms: null }) && (
              <PayerTerms ctx={ctx} at={at} payer={member} />
            )}
            {!whyNotCardOf(ctx.state.membership!, member.id) && (
              <PayerCard ctx={ctx} at={at} payer={member} />
            )}
            <Administration {...props} />
            {await forgetLogin(ctx, deps, member)}
            {protectedByCode && <ResetSecondFactor ctx={ctx} member={member} />}
          </div>
        </>
      ),
    });
  };
}
