import { setUpCard } from '../../../../api/resources/members/card-setup.js';
import { removeMemberCard } from '../../../../api/resources/members/remove-card.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../../api/http/context.js';
import type { CardFacts } from '../../../../domain/invoices/payer-presenter.js';
import { showPage } from '../../../ui/layout.js';
import { Action } from '../../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../../shared/api-form.js';
import { Form } from '../../shared/form.js';
import type { FormRoute, Page } from '../../shared/section.js';

/** Has an operation of a member's find the one who is signed in. */
const ofOneself =
  (operation: (deps: ApiDependencies) => Handler) =>
  (deps: ApiDependencies): Handler => {
    const handle = operation(deps);
    return (ctx, next) => {
      ctx.params.id = ctx.state.membership!.member_id;
      return handle(ctx, next);
    };
  };

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
const openCardPage: Page = (deps) => {
  const handle = ofOneself(setUpCard)(deps);
  return async (ctx) => {
    await handle(ctx, async () => {});
    const { url } = ctx.body as { url: string };
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
};

export const cardForms: FormRoute[] = [
  ['/card', hiddenFields, openCardPage, 'pay_own_invoices'],
  [
    '/card/remove',
    hiddenFields,
    apiForm({
      handler: ofOneself(removeMemberCard),
      notice: () => 'Card removed. It will not be charged again.',
      to: () => '/membership',
    }),
    'pay_own_invoices',
  ],
];
