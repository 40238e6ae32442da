import type { Operation, Route } from '../../../../api/http/operation.js';
import type { Card } from '../../../../api/resources/shared/payer-fields.js';
import { createFormats } from '../../../ui/formats.js';
import { form, type Form } from '../../forms/form.js';
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
      payment_terms: 'Payment terms (days, blank = no bookings on account)',
      credit_limit_minor: 'Credit limit ({currency}, blank = no limit)',
      monthly_statement: 'Email a monthly statement (requires payment terms)',
      autopay: {
        label: 'Charge due invoices to the card on file (autopay)',
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
      summary: (data: Data) => (findPayer(data).card ? 'Replace card on file' : 'Add card on file'),
      button: 'Create link',
      hint: 'Creates a link to a Stripe page where the payer enters the card.',
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
    Terms: ({ page }: { page: PageProps<Data> }) => <terms.Closed page={page} />,
    Card: ({ page }: { page: PageProps<Data> }) => (
      <>
        <addCard.Closed page={page} />
        {findPayer(page.data).card && <dropCard.Closed page={page} />}
      </>
    ),
  };
}
