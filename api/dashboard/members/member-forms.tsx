import { findWorkspace } from '../../../db/repositories/workspaces/workspace-queries.js';
import { ApiError } from '../../../domain/errors.js';
import type { PresentedMember } from '../../../domain/presenters/member.js';
import type { Tier } from '../../../domain/price.js';
import { isUpgrade, tierAfterRequest } from '../../../domain/tiers.js';
import type { ApiContext } from '../../http/context.js';
import { text } from '../../http/fields.js';
import { archive, erase, sendInvite, update } from '../../members/change.js';
import { setUpCard } from '../../members/card-setup.js';
import { memberOf } from '../../members/read.js';
import { removeMemberCard } from '../../members/remove-card.js';
import { updateSchema } from '../../members/schema.js';
import { payerForms } from '../payers/payer-forms.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { formatsOf, sentenceCase, spaced } from '../shared/formats.js';
import type { FormRoute } from '../shared/section.js';
import { resetFields, resetSecondFactorForm } from './reset-second-factor.js';

const toMember = (ctx: ApiContext): string => `/members/${ctx.params.id}`;

interface DetailsForm {
  name: string;
  email?: string;
  company_id?: string;
}

/** Changes name, address and company; only what differs is sent, since every field needs a right of its own. */
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
    if (Object.keys(changes).length === 0) throw new ApiError('validation_failed', 'Nothing was changed.');
    return changes;
  },
  notice: ({ name }) => `${name} has been changed.`,
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
      ? `It applies from ${day(after.pending_tier_at!)}; the current month stays as it is.`
      : charged
        ? `It applies at once. The difference for the rest of the month is invoiced to ${member.company_name ?? member.name} at once.`
        : 'It applies at once.';
    return {
      title: `Change the tier of ${member.name}`,
      at: '/members',
      effects: (
        <p>
          From {priced(member.tier)}, to {priced(tier)}, without tax. {effect}
        </p>
      ),
      button: `Change to ${sentenceCase(tier)}`,
      back: pathIn(ctx, toMember(ctx)),
    };
  },
  notice: ({ tier, pending_tier, pending_tier_at }, ctx) =>
    pending_tier
      ? `The tier will be ${sentenceCase(pending_tier)} from ${formatsOf(ctx).day(new Date(pending_tier_at!))}.`
      : `The tier is ${sentenceCase(tier)} now.`,
  to: toMember,
});

const roleForm = apiForm<{ role: string }, PresentedMember>({
  handler: update,
  schema: updateSchema,
  body: ({ role }) => ({ role }),
  notice: ({ name, role }) => `${name} has the role ${spaced(role)} now.`,
  to: toMember,
});

const statusForm = (status: 'active' | 'paused') =>
  apiForm<unknown, PresentedMember>({
    handler: update,
    schema: updateSchema,
    body: () => ({ status }),
    notice: (member) => `${member.name} is ${member.status} now.`,
    to: toMember,
  });

/** The forms of a member's page. */
export const memberForms: FormRoute[] = [
  [
    '/details',
    {
      ...hiddenFields,
      name: text(200).trim().required(),
      email: text(254).trim(),
      company_id: text(50).allow(''),
    },
    detailsForm,
    'update_own_profile',
  ],
  [
    '/tier',
    { ...hiddenFields, tier: text(50).required(), tier_change_reason: text(256).allow('') },
    tierForm,
    'change_tier',
  ],
  ['/role', { ...hiddenFields, role: text(50).required() }, roleForm, 'change_role'],
  ['/activate', hiddenFields, statusForm('active'), 'archive_members'],
  ['/pause', hiddenFields, statusForm('paused'), 'archive_members'],
  [
    '/resend-invite',
    hiddenFields,
    apiForm<unknown, PresentedMember>({
      handler: sendInvite,
      notice: ({ email }) => `A new invite is on its way to ${email}.`,
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
    apiForm({ handler: erase, notice: () => 'The member has been erased.', to: () => '/members' }),
    'hard_delete',
  ],
];
