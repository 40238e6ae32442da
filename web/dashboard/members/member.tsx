import { hasSecondFactor } from '../../../commands/access/reset-second-factor.js';
import { findCardSetupToShow } from '../../../db/queries/billing/card.js';
import { findCompany, listCompanies } from '../../../db/queries/members/company.js';
import type { MemberRow } from '../../../db/queries/members/member.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Company, Workspace } from '../../../db/rows.js';
import {
  whyNotEdit,
  whyNotInvite,
  whyNotStatus,
  whyProtected,
  type MemberChanges,
} from '../../../domain/member-edit.js';
import { can } from '../../../domain/policies.js';
import { canMove, MEMBER_TRANSITIONS } from '../../../domain/states.js';
import { MONTHLY_HOUR_CREDITS } from '../../../domain/tiers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { PayerCard, payerFactsOf, PayerTerms } from '../payers/payer.js';
import { Action, Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Select, TextField } from '../shared/fields.js';
import { Id } from '../shared/id.js';
import { formatsOf, sentenceCase } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { MAX_COMPANIES } from './members.js';
import { ResetSecondFactor } from './reset-second-factor.js';
import { tierOptions } from './tier-options.js';
import { inputOf } from '../shared/declared-fields.js';
import { updateSchema } from '../../../api/resources/members/shape.js';

interface Props {
  ctx: ApiContext;
  member: MemberRow;
  workspace: Workspace;
  companies: Company[];
}

function EditDetails({ ctx, member, companies }: Props) {
  const may = (changes: MemberChanges): boolean => !whyNotEdit(ctx.state.membership!, member, changes);
  if (!may({ name: member.name })) return null;
  return (
    <Action ctx={ctx} action={pathIn(ctx, `/members/${member.id}/details`)} summary="Edit" button="Save">
      <TextField {...inputOf(updateSchema, 'name')} label="Name" required value={member.name} />
      {may({ email: member.email }) ? (
        <TextField
          {...inputOf(updateSchema, 'email')}
          label="Email"
          type="email"
          required
          value={member.email}
        />
      ) : (
        <p class="hint">Owners and admins change their own email address on their account page.</p>
      )}
      {may({ company_id: null }) && (
        <Select
          name="company_id"
          label="Paid by company"
          optional
          options={[['', 'none (the member pays)'], ...companies.map(({ id, name }) => [id, name] as const)]}
          chosen={[member.company_id ?? '']}
        />
      )}
    </Action>
  );
}

/** Changes of a member's tier, role and status, for roles that may. */
function Administration({ ctx, member, workspace }: Props) {
  const { role } = ctx.state.membership!;
  const at = pathIn(ctx, `/members/${member.id}`);
  const { status } = member;
  const may = (changes: MemberChanges): boolean => !whyNotEdit(ctx.state.membership!, member, changes);
  const mayBecome = (wanted: 'active' | 'paused'): boolean =>
    status !== wanted && may({ status: wanted }) && !whyNotStatus(status, wanted);
  return (
    <>
      {may({ tier: member.tier }) && (
        <Action ctx={ctx} action={`${at}/tier`} summary="Change tier" button="Continue">
          <Select name="tier" label="Tier" options={tierOptions(ctx, workspace)} chosen={[member.tier]} />
          <TextField
            {...inputOf(updateSchema, 'tier_change_reason')}
            label="Reason (optional, kept in the audit log)"
          />
        </Action>
      )}
      {may({ role: 'member' }) && (
        <Action ctx={ctx} action={`${at}/role`} summary="Change role" button="Change role">
          <Select
            name="role"
            label="Role"
            options={[
              ['member', 'Member: their own bookings'],
              ['billing_contact', 'Billing contact: can also view members, invoices and payments'],
              ['admin', 'Admin: full access except ownership and erasure'],
            ]}
            chosen={[member.role]}
          />
        </Action>
      )}
      {can(role, 'invite_members') && !whyNotInvite(member) && (
        <Action ctx={ctx} action={`${at}/resend-invite`} summary="Resend invite" button="Resend invite">
          <p class="hint">The previous invite link stops working.</p>
        </Action>
      )}
      {mayBecome('active') && (
        <Action
          ctx={ctx}
          action={`${at}/activate`}
          summary={status === 'archived' ? 'Restore' : 'Activate'}
          button={`Activate ${member.name}`}
        >
          <p class="hint">Their membership is invoiced from today.</p>
        </Action>
      )}
      {mayBecome('paused') && (
        <Action ctx={ctx} action={`${at}/pause`} summary="Pause" button={`Pause ${member.name}`}>
          <p class="hint">No invoices are created from the next month on. Existing invoices stay due.</p>
        </Action>
      )}
      {can(role, 'archive_members') &&
        !whyProtected(member) &&
        canMove(MEMBER_TRANSITIONS.archive, status) && (
          <Action ctx={ctx} action={`${at}/archive`} summary="Archive" button={`Archive ${member.name}`} rare>
            <p>
              Their API keys, application access and open invite are revoked. Bookings and invoices are kept.
            </p>
          </Action>
        )}
      {can(role, 'hard_delete') && !whyProtected(member) && (
        <Action
          ctx={ctx}
          action={`${at}/erase`}
          summary="Erase"
          button={`Erase ${member.name} permanently`}
          rare
        >
          <p>
            Name and email address are deleted everywhere, including past bookings and events. The bookings,
            invoices and payments themselves are kept. This cannot be undone.
          </p>
        </Action>
      )}
    </>
  );
}

/** `GET /dashboard/:workspace/members/:id`: a member with what can be changed; for every member their own profile. */
export function showMember(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const member = await memberOf(ctx, deps);
    const { workspace_id, role } = ctx.state.membership!;
    const { manager } = deps.db;
    const workspace = (await findWorkspace(manager, workspace_id))!;
    const companies = can(role, 'read_others')
      ? await listCompanies(manager, { workspace_id, limit: MAX_COMPANIES })
      : [];
    const at = pathIn(ctx, `/members/${member.id}`);
    const own = member.id === ctx.state.membership!.member_id;
    const seesBilling = own || can(role, 'read_billing');
    const setup = seesBilling
      ? await findCardSetupToShow(manager, { company_id: null, member_id: member.id })
      : null;
    const company =
      member.company_id && seesBilling ? await findCompany(manager, workspace_id, member.company_id) : null;
    const protectedByCode = await hasSecondFactor(manager, member.profile_id);
    const { amount, day } = formatsOf(ctx);
    const { tier, pending_tier, pending_tier_at, company_id, company_name, joined_at, trial_ends_at } =
      member;
    const grant = MONTHLY_HOUR_CREDITS[tier];
    const props = { ctx, member, workspace, companies };
    showSection(ctx, {
      title: member.name,
      at: '/members',
      children: (
        <>
          <Facts
            of={[
              ['Status', <Status value={member.status} />],
              ['Email', member.email],
              [
                'Tier',
                <>
                  {sentenceCase(tier)}, {amount(workspace.tier_prices[tier], workspace.currency)} a month
                  excluding tax
                  {pending_tier && (
                    <small>
                      {sentenceCase(pending_tier)},{' '}
                      {amount(workspace.tier_prices[pending_tier], workspace.currency)}, from{' '}
                      {day(pending_tier_at!)}
                    </small>
                  )}
                </>,
              ],
              grant > 0 && ['Hour credits', `${member.hour_credit_balance} left of ${grant} a month`],
              ['Role', sentenceCase(member.role)],
              company_id && [
                'Company',
                can(role, 'read_others') ? (
                  <a href={pathIn(ctx, `/companies/${company_id}`)}>{company_name}</a>
                ) : (
                  company_name
                ),
              ],
              trial_ends_at && ['Trial ends', day(trial_ends_at)],
              joined_at && ['Joined', day(joined_at)],
              ...(seesBilling ? payerFactsOf(ctx, member, setup, company) : []),
              ['ID', <Id of={member.id} />],
            ]}
          />
          <p class="links">
            {can(role, 'read_billing') && (
              <a href={pathIn(ctx, `/invoices?member_id=${member.id}`)}>Invoices</a>
            )}
            {can(role, 'all_bookings') && (
              <a href={pathIn(ctx, `/bookings?q=${encodeURIComponent(member.email)}`)}>Bookings</a>
            )}
            {can(role, 'write_billing') && !company_id && (
              <a href={pathIn(ctx, `/invoices/new?member_id=${member.id}`)}>New invoice</a>
            )}
          </p>
          <div class="card">
            <EditDetails {...props} />
            {!whyNotEdit(ctx.state.membership!, member, { payment_terms: null }) && (
              <PayerTerms ctx={ctx} at={at} payer={member} />
            )}
            {(can(role, 'write_billing') || own) && <PayerCard ctx={ctx} at={at} payer={member} />}
            <Administration {...props} />
            {protectedByCode && <ResetSecondFactor ctx={ctx} member={member} />}
          </div>
        </>
      ),
    });
  };
}
