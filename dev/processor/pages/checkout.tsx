import { Grid, Page } from '../../simulator/pages.js';
import { formatAmount } from '../currencies.js';
import { cancelUrl } from '../payments/checkout.js';
import type { StoredSession } from '../state/records.js';
import type { CardForm } from './card-form.js';

interface Props {
  session: StoredSession;
  merchant: string;
  form: CardForm;
  /** Errors by field. */
  errors: Partial<Record<keyof CardForm, string>>;
  /** Why the card was declined. */
  declined?: string;
}

/** An amount, which must not wrap. */
const Amount = ({ of }: { of: string }) => <span class="nowrap">{of}</span>;

/** The payment page, or in setup mode the page that saves a card. */
export function CheckoutPage({ session, merchant, form, errors, declined }: Props) {
  const { id, mode, amount_total, currency } = session.object;
  const total = formatAmount(amount_total ?? 0, currency ?? 'gbp');
  const isSetup = mode === 'setup';
  const leaveTo = cancelUrl(session);
  const fields = { form, errors };
  const lines = session.line_items.map(({ description, quantity, price, amount_total, currency }) => {
    const each = formatAmount(price.unit_amount ?? 0, currency);
    const count = quantity > 1 ? ` (${quantity} × ${each})` : '';
    return [`${description}${count}`, <Amount of={formatAmount(amount_total, currency)} />];
  });
  return (
    <Page
      title={`${merchant} – ${isSetup ? 'save a card' : `pay ${total}`}`}
      heading={isSetup ? `Save a card for ${merchant}` : `Pay ${merchant} ${total}`}
    >
      <p>Test mode: this is a simulator. No card is charged and no money moves.</p>
      {!isSetup && <Grid rows={[...lines, ['Total due', <Amount of={total} />]]} />}
      <form method="post" action={`/c/pay/${id}`} novalidate>
        {declined && (
          <p class="notice error" role="alert">
            <strong>{declined}</strong> You have not been charged. Try again, or use another card.
          </p>
        )}
        <Field {...fields} name="email" label="Email" inputMode="email" autocomplete="email" />
        <Field {...fields} name="number" label="Card number" inputMode="numeric" autocomplete="cc-number" />
        <Field {...fields} name="expiry" label="Expiry (MM / YY)" autocomplete="cc-exp" />
        <Field {...fields} name="cvc" label="CVC" inputMode="numeric" autocomplete="cc-csc" />
        <Field {...fields} name="name" label="Name on card" autocomplete="cc-name" />
        <button name="action" value="pay">
          {isSetup ? 'Save card' : `Pay ${total}`}
        </button>
        <button name="action" value="decline">
          Decline
        </button>
        {leaveTo && (
          <button name="action" value="leave">
            Leave
          </button>
        )}
      </form>
      <p class="muted">
        “{isSetup ? 'Save card' : 'Pay'}” uses the card above: 4242 4242 4242 4242 is accepted, 4000 0000 0000
        0002 is declined, 4000 0000 0000 0259 is accepted and then disputed. “Decline” lets the bank say no,
        whatever the card. “Leave” goes back without paying.
      </p>
    </Page>
  );
}

interface FieldProps extends Pick<Props, 'form' | 'errors'> {
  name: keyof CardForm;
  label: string;
  autocomplete: string;
  inputMode?: 'email' | 'numeric';
}

function Field({ form, errors, label, name, ...input }: FieldProps) {
  const error = errors[name];
  return (
    <>
      <label for={name}>{label}</label>
      <input id={name} name={name} value={form[name]} {...input} aria-invalid={error ? 'true' : undefined} />
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
