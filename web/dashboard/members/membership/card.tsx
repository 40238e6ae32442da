import { createMemberCardSetup, deleteMemberCard } from '../../../../api/resources/members/operations.js';
import type { ApiContext } from '../../../../api/http/context.js';
import type { MemberRow } from '../../../../db/queries/members/member.js';
import { showPage } from '../../../ui/layout.js';
import { form } from '../../forms/form.js';
import type { PageProps } from '../../forms/page.js';
import type { Submitted } from '../../forms/fields.js';

interface Own {
  member: Pick<MemberRow, 'card'>;
}

const params = (_: Submitted, ctx: ApiContext) => ({ id: ctx.state.membership!.member_id });

/** Opens the processor's page for one's own card, and goes there. */
const openCardPage = form(
  createMemberCardSetup,
  {},
  {
    path: '/card',
    button: ({ member: { card } }: Own) => (card ? 'Replace card' : 'Add card'),
    params,
    // A page instead of a redirect: browsers follow a form's redirect only to origins in the page's policy.
    leave: ({ url }, { ctx }) =>
      showPage(ctx, 200, {
        title: 'Continue to your card',
        mark: 'waiting',
        goTo: url,
        children: (
          <a class="button" href={url}>
            Continue
          </a>
        ),
      }),
  },
);

const removeCard = form(
  deleteMemberCard,
  {},
  {
    path: '/card/remove',
    summary: 'Remove card',
    button: ({ member: { card } }: Own) => `Remove the card ending in ${card!.last4}`,
    rare: true,
    explains: 'The card is not charged again. Unpaid invoices remain due.',
    params,
    notice: () => 'Card removed. It will not be charged again.',
  },
);

export const cardForms = [openCardPage, removeCard];

/** The buttons for one's own card. */
export function CardForms({ page }: { page: PageProps<Own> }) {
  const { ctx, data } = page;
  const { card } = data.member;
  return (
    <div class="card">
      {!card && (
        <p class="hint">
          Invoices are charged to a saved card only after {ctx.state.membership!.workspace_name} turns that on
          for you.
        </p>
      )}
      <openCardPage.Button page={page} quiet={card ? true : undefined} />
      {card && <removeCard.Drawer page={page} quiet />}
    </div>
  );
}
