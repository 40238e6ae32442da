import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import {
  archiveMember,
  changeMember,
  createMemberCardSetup,
  deleteMemberCard,
  eraseMember,
  resendInvite,
} from '../../../api/resources/members/operations.js';
import { forgetMemberLogin } from '../../../commands/single-sign-on/forget-login.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import type { MemberRow } from '../../../db/queries/members/member.js';
import { changeOfTier } from '../../../domain/bookings/hour-credits.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { priceLines, sumTotals } from '../../../domain/invoices/invoice.js';
import {
  whyNotEdit,
  whyNotInvite,
  whyNotStatus,
  whyNotEditOwner,
  type MemberChanges,
} from '../../../domain/members/edit.js';
import { planName } from '../../../domain/members/plans.js';
import type { PresentedMember } from '../../../domain/members/presenter.js';
import {
  isUpgrade,
  membershipTaxCode,
  tierAfterRequest,
  upgradeCharge,
} from '../../../domain/members/tiers.js';
import { assertCan, can, whyNotManageCard, type Principal } from '../../../domain/policies.js';
import type { Tier } from '../../../domain/rates/price.js';
import { canMove, MEMBER_TRANSITIONS } from '../../../domain/states.js';
import { createFormats, spaced } from '../../ui/formats.js';
import { action, form } from '../forms/form.js';
import type { Options } from '../forms/inputs.js';
import type { PageProps } from '../forms/page.js';
import { statementsPage } from '../invoices/payers/statements.js';
import { payerForms } from '../invoices/payers/terms.js';
import type { Confirmation } from '../shared/confirmation.js';
import { taxWords } from '../shared/entered-price.js';
import type { WithCompanies } from '../companies/choice.js';
import { memberInputs, ROLE_OPTIONS } from './member-fields.js';
import { planPrice } from './tier-options.js';

export interface Found extends WithCompanies {
  caller: Principal;
  row: MemberRow;
  member: PresentedMember;
  workspace: Workspace;
  tiers: Options;
}

/** Whether the caller may change a field of the member. */
const may = ({ caller, row }: Found, changes: MemberChanges): boolean => !whyNotEdit(caller, row, changes);
const mayChange =
  (name: 'name' | 'email' | 'company_id' | 'locale' | 'billed') =>
  (data: Found): boolean =>
    may(data, { [name]: data.row[name] });

const NOTE = 'Owners and admins change their email on their own account page.';

/** Changes name, address and company; only what differs is sent, since each field needs a different right. */
const details = form(
  changeMember,
  {
    name: { label: 'Name', when: mayChange('name') },
    email: { label: 'Email', when: mayChange('email') },
    ...memberInputs<Found>({ when: mayChange }),
  },
  {
    path: '/details',
    summary: 'Edit',
    button: 'Save',
    of: ({ member: { name, email, company, locale, billed } }: Found) => ({
      name,
      email,
      company_id: company?.id ?? null,
      locale,
      billed,
    }),
    onlyChanges: true,
    // Whoever receives mail at the address can sign in as the member.
    proof: ({ body }) => body.email !== undefined,
    // A provider's assertion alone must not let members change the address that they sign in with.
    ownSignIn: ({ data }) => data.row.id === data.caller.member_id,
    notice: ({ name }) => `${name} has been saved.`,
  },
);

/** Hour credits that an immediate plan change adds or removes this month. */
function hoursChanged(member: MemberRow, to: Tier): string {
  const after = changeOfTier(member, to, dayIn(member.time_zone, new Date()));
  const added = after ? after.hour_credit_balance - member.hour_credit_balance : 0;
  if (added === 0) return '';
  const hours = Math.abs(added) === 1 ? 'One hour credit is' : `${Math.abs(added)} hour credits are`;
  return `${hours} ${added > 0 ? 'added' : 'removed'}. `;
}

/** Who pays for an upgrade, how much and when (docs/rules/billing.md#tier-upgrades). */
function describeCharge(ctx: ApiContext, member: MemberRow, workspace: Workspace, to: Tier): string {
  const { tier: from, status, billed, company_name, name } = member;
  const { tax_codes, tier_prices, currency, processor_status } = workspace;
  if (status !== 'active' || !isUpgrade(from, to)) return '';
  if (!billed) return 'Nothing is charged: they do not pay for their plan.';
  const { net_minor, end } = upgradeCharge(member, { from, to, tier_prices }, new Date());
  const line = { description: '', quantity: 1, unit_amount_minor: net_minor };
  const taxed = priceLines([{ ...line, tax_code: membershipTaxCode(tax_codes) }], tax_codes, currency);
  const { total_minor } = sumTotals(taxed);
  if (total_minor <= 0) return 'Nothing is charged for the rest of the month.';
  const { amount, day } = createFormats(ctx);
  const when = processor_status === 'active' ? 'immediately' : 'with the next plan invoice';
  return (
    `${amount(total_minor, currency)}, tax included, is invoiced to ${company_name ?? name} ${when}: the ` +
    `price difference from today until ${day(startOfDay(end, member.time_zone))}.`
  );
}

/** When a change of tier takes effect, and what is charged. */
function tierConfirmation(ctx: ApiContext, { row, workspace }: Found, tier: Tier): Confirmation {
  const { plans } = workspace;
  const { day } = createFormats(ctx);
  const price = planPrice(ctx, workspace);
  const priced = (each: Tier) => `${planName(plans, each)}, ${price(each)} a month`;
  const after = tierAfterRequest(tier, row, new Date());
  const effect = after.pending_tier
    ? `Takes effect on ${day(after.pending_tier_at!)}; the current month is not affected.`
    : `Takes effect immediately. ${hoursChanged(row, tier)}${describeCharge(ctx, row, workspace, tier)}`;
  return {
    title: `Change the plan of ${row.name}?`,
    at: '/members',
    effects: (
      <p>
        From {priced(row.tier)}, to {priced(tier)}, {taxWords(ctx)}. {effect}
      </p>
    ),
    button: `Change to ${planName(plans, tier)}`,
  };
}

const changeTier = form(
  changeMember,
  {
    tier: { label: 'Plan', options: ({ tiers }: Found) => tiers, wide: true },
    tier_change_reason: 'Reason for the audit log',
  },
  {
    path: '/tier',
    capability: 'change_tier',
    summary: 'Change plan',
    button: 'Continue',
    of: ({ member }) => member,
    body: ({ tier, tier_change_reason }) => ({ tier, ...(tier_change_reason ? { tier_change_reason } : {}) }),
    confirm: async ({ ctx, data, body }) => tierConfirmation(ctx, data, body.tier!),
    notice: ({ pending_tier_at }, { ctx }) =>
      pending_tier_at
        ? `The plan changes on ${createFormats(ctx).day(new Date(pending_tier_at))}.`
        : 'The plan has been changed.',
  },
);

const changeRole = form(
  changeMember,
  { role: { label: 'Role', options: ROLE_OPTIONS, wide: true } },
  {
    path: '/role',
    capability: 'change_role',
    button: 'Change role',
    of: ({ member }: Found) => member,
    proof: true,
    notice: ({ name, role }) => `${name} now has the role ${spaced(role)}.`,
  },
);

const invite = form(
  resendInvite,
  {},
  {
    path: '/resend-invite',
    button: 'Resend invite',
    hint: 'The previous invite link stops working.',
    notice: ({ email }) => `A new invite is being sent to ${email}.`,
  },
);

const activate = form(
  changeMember,
  {},
  {
    path: '/activate',
    capability: 'archive_members',
    summary: ({ row }: Found) => (row.status === 'archived' ? 'Restore' : 'Activate'),
    button: ({ row }) => `Activate ${row.name}`,
    hint: 'Their plan is invoiced from today.',
    body: () => ({ status: 'active' }),
    notice: (member) => `${member.name} is now ${member.status}.`,
  },
);

const pause = form(
  changeMember,
  {},
  {
    path: '/pause',
    capability: 'archive_members',
    summary: 'Pause',
    button: ({ row }: Found) => `Pause ${row.name}`,
    hint: 'No invoices are created from next month. Existing invoices remain due.',
    body: () => ({ status: 'paused' }),
    notice: (member) => `${member.name} is now ${member.status}.`,
  },
);

const archive = form(
  archiveMember,
  {},
  {
    path: '/archive',
    summary: 'Archive',
    button: ({ row }: Found) => `Archive ${row.name}`,
    rare: true,
    explains:
      'Their API keys, application access and open invite are revoked. Bookings and invoices are kept.',
    notice: ({ name }) => `${name} is archived.`,
  },
);

const erase = form(
  eraseMember,
  {},
  {
    path: '/erase',
    summary: 'Erase',
    button: ({ row }: Found) => `Erase ${row.name} permanently`,
    rare: true,
    explains:
      'Name and email address are deleted everywhere, including past bookings and events. The bookings, ' +
      'invoices and payments themselves are kept. This cannot be undone.',
    proof: true,
    notice: () => 'Member erased.',
    to: () => '/members',
  },
);

/** For a member whose account at the provider was replaced (docs/rules/single-sign-on.md#the-member). */
export const forgetLogin = form(
  action({
    capability: 'update_others',
    run: ({ params: { id } }, caller, { db }) => forgetMemberLogin(db, caller, id),
  }),
  {},
  {
    path: '/forget-login',
    summary: 'Unlink provider account',
    button: ({ row }: Found) => `Unlink ${row.name}’s provider account`,
    rare: true,
    proof: true,
    notice: (_, { data }) => `${data.row.name}’s provider account has been unlinked.`,
  },
);

export const payment = payerForms(
  { change: changeMember, setUpCard: createMemberCardSetup, removeCard: deleteMemberCard },
  ({ member }: Found) => member,
);

/** The statements of a member: for those who read billing, and for the member. */
export const statements = statementsPage(({ caller, row }: Found) => {
  if (row.id !== caller.member_id) assertCan(caller.role, 'read_billing');
  return { of: { company_id: null, member_id: row.id }, email: row.email };
}, 'read_own_invoices');

/** Edits the member's details, for those who may. */
export const EditMember = ({ page }: { page: PageProps<Found> }) =>
  mayChange('name')(page.data) && (
    <details.Drawer page={page} icon="edit">
      {!mayChange('email')(page.data) && <p class="hint">{NOTE}</p>}
    </details.Drawer>
  );

/** Changes of the plan, each for those who may. */
export function PlanActions({ page }: { page: PageProps<Found> }) {
  const { row } = page.data;
  const mayBecome = (wanted: 'active' | 'paused'): boolean =>
    row.status !== wanted && may(page.data, { status: wanted }) && !whyNotStatus(row.status, wanted);
  return (
    <>
      {may(page.data, { tier: row.tier }) && <changeTier.Drawer page={page} quiet />}
      {mayBecome('active') && <activate.Drawer page={page} quiet />}
      {mayBecome('paused') && <pause.Drawer page={page} quiet />}
    </>
  );
}

export const PaymentActions = ({ page }: { page: PageProps<Found> }) => (
  <payment.Drawers
    page={page}
    terms={may(page.data, { payment_terms: null })}
    card={!whyNotManageCard(page.data.caller, page.data.row.id)}
  />
);

/** Changes of what the member can do, the rare last. `children`: those of their sign-in. */
export function AccessActions(props: { page: PageProps<Found>; children?: ComponentChildren }) {
  const { page, children } = props;
  const { caller, row } = page.data;
  return (
    <>
      {may(page.data, { role: 'member' }) && <changeRole.Drawer page={page} quiet />}
      {can(caller.role, 'invite_members') && !whyNotInvite(row) && <invite.Drawer page={page} quiet />}
      {children}
      {can(caller.role, 'archive_members') &&
        !whyNotEditOwner(row) &&
        canMove(MEMBER_TRANSITIONS.archive, row.status) && <archive.Drawer page={page} quiet />}
      {can(caller.role, 'hard_delete') && !whyNotEditOwner(row) && <erase.Drawer page={page} quiet />}
    </>
  );
}

/** Whether the caller may forget the member's login at the provider, if they have one. */
export const mayForgetLogin = (data: Found): boolean => mayChange('email')(data);

export const memberForms = [
  details,
  changeTier,
  changeRole,
  activate,
  pause,
  invite,
  ...payment.forms,
  ...statements.forms,
  forgetLogin,
  archive,
  erase,
];
