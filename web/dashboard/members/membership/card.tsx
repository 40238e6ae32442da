import { createMemberCardSetup, deleteMemberCard } from '../../../../api/resources/members/operations.js';
import type { ApiContext } from '../../../../api/http/context.js';
import type { CardFacts } from '../../../../domain/invoices/payer-presenter.js';
import { showPage } from '../../../ui/layout.js';
import { Action } from '../../shared/action.js';
import { run } from '../../forms/page.js';
import { pathIn } from '../../shared/paths.js';
import { redirectWithNotice } from '../../shared/notice.js';
import { Form, hiddenFields } from '../../shared/form.js';
import type { FormRoute, Page } from '../../shared/section.js';

/** The member who is signed in. */
const ownId = (ctx: ApiContext) => ({ id: ctx.state.membership!.member_id });

/** The buttons for one's own card. */
export function CardForms({ ctx, card }: { ctx: ApiContext; card: CardFacts | null }) {
  return (
    <div class="card">
      {!card && (
        <p class="hint">
          Invoices, such as those for your plan, are charged to a saved card only once{' '}
          {ctx.state.membership!.workspace_name} has turned that on for you. Bookings that you pay yourself
          are paid on their payment page.
        </p>
      )}
      <Form class="actions" ctx={ctx} action={pathIn(ctx, '/membership/card')}>
        <button class={card ? 'quiet' : undefined}>{card ? 'Replace card' : 'Add card'}</button>
      </Form>
      {card && (
        <Action
          ctx={ctx}
          action={pathIn(ctx, '/membership/card/remove')}
          summary="Remove card"
          button={`Remove the card ending in ${card.last4}`}
          rare
        >
          <p>The card is not charged again. Unpaid invoices stay due.</p>
        </Action>
      )}
    </div>
  );
}

/** Opens the processor's page for one's own card, and goes there. */
const openCardPage: Page = (deps) => async (ctx) => {
  const { url } = await run(createMemberCardSetup, { params: ownId(ctx), body: {} }, { ctx }, deps);
  // A page and not a redirect: browsers follow a form's redirect only to the origins that the policy names.
  showPage(ctx, 200, {
    title: 'Continue to your card',
    mark: 'waiting',
    goTo: url,
    children: (
      <a class="button" href={url}>
        Continue
      </a>
    ),
  });
};

const removeOwnCard: Page = (deps) => async (ctx) => {
  await run(deleteMemberCard, { params: ownId(ctx) }, { ctx }, deps);
  redirectWithNotice(ctx, pathIn(ctx, '/membership'), 'Card removed. It will not be charged again.');
};

export const cardForms: FormRoute[] = [
  ['/card', hiddenFields, openCardPage, 'pay_own_invoices'],
  ['/card/remove', hiddenFields, removeOwnCard, 'pay_own_invoices'],
];
