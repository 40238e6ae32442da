import { findMember } from '../../../../db/queries/members/member.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { statementForm } from '../../invoices/payers/statement-form.js';
import { hiddenFields } from '../../shared/api-form.js';
import type { Section } from '../../shared/section.js';
import { calendarAddressForm } from './calendar-address.js';
import { cardForms } from './card.js';
import { showMembership } from './membership.js';

async function findOwnPayer(ctx: ApiContext, { db }: ApiDependencies) {
  const { workspace_id, member_id } = ctx.state.membership!;
  const { email } = (await findMember(db.manager, workspace_id, member_id))!;
  return { of: { company_id: null, member_id }, email };
}

export const membership: Section = [
  {
    path: '/membership',
    capability: 'read_own_profile',
    show: showMembership,
    forms: [
      ...cardForms,
      ['/calendar-address', hiddenFields, calendarAddressForm],
      statementForm(findOwnPayer, () => '/membership'),
    ],
  },
];
