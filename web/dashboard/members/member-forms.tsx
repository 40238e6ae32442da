import { ApiError } from '../../../domain/errors.js';
import type { PresentedMember } from '../../../domain/members/presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { archive, erase, sendInvite, update } from '../../../api/resources/members/update.js';
import { setUpCard } from '../../../api/resources/members/card-setup.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { removeMemberCard } from '../../../api/resources/members/remove-card.js';
import { updateSchema } from '../../../api/resources/members/shape.js';
import { assertCan } from '../../../domain/policies.js';
import { statementForm } from '../invoices/payers/statement-form.js';
import { payerForms } from '../invoices/payers/payer-forms.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { spaced } from '../../ui/formats.js';
import type { Entered } from '../shared/declared-form.js';
import { proven, type FormRoute } from '../shared/section.js';
import { memberForm } from './member-fields.js';
import { tierForm } from './tier-form.js';
import { forgetLoginForm } from './forget-login.js';
import { resetFields, resetSecondFactorForm } from './reset-second-factor.js';
import { textFields } from '../shared/declared-fields.js';

const toMember = (ctx: ApiContext): string => `/members/${ctx.params.id}`;

/** Changes name, address and company; only what differs is sent, since each field needs a different right. */
const detailsForm = apiForm<Entered<typeof memberForm>, PresentedMember>({
  handler: update,
  schema: updateSchema,
  async body(form, ctx, deps) {
    const changes = memberForm.changes(form, await memberOf(ctx, deps));
    if (Object.keys(changes).length === 0) throw new ApiError('validation_failed', 'No changes.');
    return changes;
  },
  notice: ({ name }) => `${name} has been saved.`,
  to: toMember,
});

/** Who receives the mail of an address signs in as its member, with their role. */
const changesAddress = async (ctx: ApiContext, deps: ApiDependencies): Promise<boolean> =>
  'email' in memberForm.changes(ctx.state.body as Entered<typeof memberForm>, await memberOf(ctx, deps));

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

/** The member in the path as payer: for those who read billing, and for the member. Errors: 403, 404. */
async function findMemberPayer(ctx: ApiContext, deps: ApiDependencies) {
  const { id: member_id, email } = await memberOf(ctx, deps);
  const { role, member_id: own } = ctx.state.membership!;
  if (member_id !== own) assertCan(role, 'read_billing');
  return { of: { company_id: null, member_id }, email };
}

/** Somebody changes their own address: by a provider's word alone it would become their own sign-in. */
const isOwnMembership = (ctx: ApiContext): boolean => ctx.params.id === ctx.state.membership!.member_id;

/** The forms of a member's page. */
export const memberForms: FormRoute[] = [
  [
    '/details',
    { ...hiddenFields, ...memberForm.fields },
    proven(detailsForm, { when: changesAddress, ownSignIn: isOwnMembership }),
    'update_own_profile',
  ],
  [
    '/tier',
    { ...hiddenFields, ...textFields(updateSchema, 'tier', 'tier_change_reason') },
    tierForm,
    'change_tier',
  ],
  ['/role', { ...hiddenFields, ...textFields(updateSchema, 'role') }, proven(roleForm), 'change_role'],
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
  statementForm(findMemberPayer, toMember),
  ['/reset-second-factor', resetFields, proven(resetSecondFactorForm), 'reset_second_factor'],
  ['/forget-login', hiddenFields, proven(forgetLoginForm), 'update_others'],
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
    proven(apiForm({ handler: erase, notice: () => 'Member erased.', to: () => '/members' })),
    'hard_delete',
  ],
];
