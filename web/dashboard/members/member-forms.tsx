import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../../domain/errors.js';
import type { PresentedMember } from '../../../domain/presenters/member.js';
import type { Tier } from '../../../domain/price.js';
import { isUpgrade, tierAfterRequest } from '../../../domain/tiers.js';
import type { ApiContext } from '../../../api/http/context.js';
import { archive, erase, sendInvite, update } from '../../../api/resources/members/update.js';
import { setUpCard } from '../../../api/resources/members/card-setup.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { removeMemberCard } from '../../../api/resources/members/remove-card.js';
import { updateSchema } from '../../../api/resources/members/shape.js';
import { payerForms } from '../payers/payer-forms.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { formatsOf, sentenceCase, spaced } from '../../ui/formats.js';
import type { FormRoute } from '../shared/section.js';
import { resetFields, resetSecondFactorForm } from './reset-second-factor.js';
import { textFields } from '../shared/declared-fields.js';

const toMember = (ctx: ApiContext): string => `/members/${ctx.params.id}`;

interface DetailsForm {
  name: string;
  email?: string;
  company_id?: string;
}

/** Changes name, address and company; only what differs is sent, since each field needs a different right. */
const detailsForm = apiForm<DetailsForm, PresentedMember>({
  handler: update,
  schema: updateSchema,
  async body({ name, email, company_id }, ctx, deps) {
    const member = await memberOf(ctx, deps);
    const changes = {
      ...(name !== member.name && { name }),
      ...(email !== undefined && email !== member.email && { email }),
      ...(company_id !== undefined &&
        company_id !== (member.company_id ?? '') && { company_id: company_id || null }),
    };
    if (Object.keys(changes).length === 0) throw new ApiError('validation_failed', 'No changes.');
    return changes;
  },
  notice: ({ name }) => `${name} has been saved.`,
  to: toMember,
});

const tierForm = apiForm<{ tier: Tier; tier_change_reason?: string }, PresentedMember>({
  handler: update,
  schema: updateSchema,
  body: ({ tier, tier_change_reason }) => ({ tier, ...(tier_change_reason && { tier_change_reason }) }),
  async confirm({ tier }, ctx, deps) {
    const member = await memberOf(ctx, deps);
    const { tier_prices, currency } = (await findWorkspace(deps.db.manager, member.workspace_id))!;
    const { amount, day } = formatsOf(ctx);
    const priced = (each: Tier) => `${sentenceCase(each)}, ${amount(tier_prices[each], currency)} a month`;
    const after = tierAfterRequest(tier, member, new Date());
    const charged = isUpgrade(member.tier, tier) && member.status === 'active';
    const effect = after.pending_tier
      ? `Takes effect on ${day(after.pending_tier_at!)}; the current month is not affected.`
      : charged
        ? `Takes effect immediately. The difference for the rest of the month is invoiced to ${member.company_name ?? member.name} immediately.`
        : 'Takes effect immediately.';
    return {
      title: `Change the tier of ${member.name}?`,
      at: '/members',
      effects: (
        <p>
          From {priced(member.tier)}, to {priced(tier)}, excluding tax. {effect}
        </p>
      ),
      button: `Change to ${sentenceCase(tier)}`,
      back: pathIn(ctx, toMember(ctx)),
    };
  },
  notice: ({ tier, pending_tier, pending_tier_at }, ctx) =>
    pending_tier
      ? `The tier changes to ${sentenceCase(pending_tier)} on ${formatsOf(ctx).day(new Date(pending_tier_at!))}.`
      : `The tier is now ${sentenceCase(tier)}.`,
  to: toMember,
});

const roleForm = apiForm<{ role: string }, PresentedMember>({
  handler: update,
  schema: updateSchema,
  body: ({ role }) => ({ role }),
  notice: ({ name, role }) => `${name} now has the role ${spaced(role)}.`,
  to: toMember,
});

const statusForm = (status: 'active' | 'paused') =>
  apiForm<unknown, PresentedMember>({
    handler: update,
    schema: updateSchema,
    body: () => ({ status }),
    notice: (member) => `${member.name} is now ${member.status}.`,
    to: toMember,
  });

/** The forms of a member's page. */
export const memberForms: FormRoute[] = [
  [
    '/details',
    {
      ...hiddenFields,
      ...textFields(updateSchema, 'name', 'email', 'company_id'),
    },
    detailsForm,
    'update_own_profile',
  ],
  [
    '/tier',
    { ...hiddenFields, ...textFields(updateSchema, 'tier', 'tier_change_reason') },
    tierForm,
    'change_tier',
  ],
  ['/role', { ...hiddenFields, ...textFields(updateSchema, 'role') }, roleForm, 'change_role'],
  ['/activate', hiddenFields, statusForm('active'), 'archive_members'],
  ['/pause', hiddenFields, statusForm('paused'), 'archive_members'],
  [
    '/resend-invite',
    hiddenFields,
    apiForm<unknown, PresentedMember>({
      handler: sendInvite,
      notice: ({ email }) => `A new invite is being sent to ${email}.`,
      to: toMember,
    }),
    'invite_members',
  ],
  ...payerForms({
    update,
    schema: updateSchema,
    setUpCard,
    removeCard: removeMemberCard,
    ownCard: 'pay_own_invoices',
    to: toMember,
  }),
  ['/reset-second-factor', resetFields, resetSecondFactorForm, 'reset_second_factor'],
  [
    '/archive',
    hiddenFields,
    apiForm<unknown, PresentedMember>({
      handler: archive,
      notice: ({ name }) => `${name} is archived.`,
      to: toMember,
    }),
    'archive_members',
  ],
  [
    '/erase',
    hiddenFields,
    apiForm({ handler: erase, notice: () => 'Member erased.', to: () => '/members' }),
    'hard_delete',
  ],
];
