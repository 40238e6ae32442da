import type { Operation, Route } from '../../../../api/http/operation.js';
import type { Card } from '../../../../api/resources/shared/payer-fields.js';
import { createFormats } from '../../../ui/formats.js';
import { form, type Form } from '../../forms/form.js';
import { note } from '../../forms/inputs.js';
import type { PageProps } from '../../forms/page.js';

/** A payer as the API shows it: a company or a member. */
interface Payer {
  card: Card | null;
}

/** The operations of a payer. */
interface PayerOperations<R extends Route, S extends Route, D extends Route, Body> {
  change: Operation<R, Body>;
  setUpCard: Operation<S, object, undefined, { expires_at: string }>;
  removeCard: Operation<D>;
}

/** The forms of a payer's page: terms of payment, and a card on file (docs/rules/billing.md#payers). */
export function payerForms<R extends Route, S extends Route, D extends Route, Body, Data>(
  { change, setUpCard, removeCard }: PayerOperations<R, S, D, Body>,
  findPayer: (data: Data) => Payer,
) {
  const terms = form(
    change,
    {
      payment_terms: 'Payment terms in days',
      credit_limit_minor: 'Credit limit in {currency}',
      about: note<Data>(() => (
        <p class="hint">
          Without terms, bookings are paid when booked. Without a limit, any amount is on account.
        </p>
      )),
      monthly_statement: 'Email a monthly statement',
      autopay: {
        label: 'Charge due invoices to the card',
        when: (data: Data) => findPayer(data).card !== null,
      },
    },
    {
      path: '/terms',
      capability: 'write_billing',
      summary: 'Payment terms',
      button: 'Save',
      of: findPayer,
      notice: () => 'Payment terms saved.',
    },
  );
  const addCard = form(
    setUpCard,
    {},
    {
      path: '/card-setup',
      summary: (data: Data) => (findPayer(data).card ? 'Replace card' : 'Add card'),
      button: 'Create link',
      hint: 'The payer enters the card on a Stripe page.',
      notice: ({ expires_at }, { ctx }) =>
        `Card link created, valid until ${createFormats(ctx).moment(expires_at)}.`,
    },
  );
  const dropCard = form(
    removeCard,
    {},
    {
      path: '/card/remove',
      summary: 'Remove card',
      button: (data: Data) => `Remove the card ending in ${findPayer(data).card?.last4}`,
      rare: true,
      explains: 'The card is not charged again, and autopay is turned off. Unpaid invoices remain due.',
      notice: () => 'Card removed. It will not be charged again.',
    },
  );
  return {
    forms: [terms, addCard, dropCard] as readonly Form<Data>[],
    /** `terms`, `card`: whether each may be changed. */
    Drawers: (props: { page: PageProps<Data>; terms?: boolean; card?: boolean }) => {
      const { page, terms: mayTerms = true, card: mayCard = true } = props;
      return (
        <>
          {mayTerms && <terms.Drawer page={page} quiet />}
          {mayCard && <addCard.Drawer page={page} quiet />}
          {mayCard && findPayer(page.data).card && <dropCard.Drawer page={page} quiet />}
        </>
      );
    },
  };
}
