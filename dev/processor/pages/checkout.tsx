import { formatAmount } from '../currencies.js';
import { cancelUrl } from '../payments/checkout.js';
import type { StoredSession } from '../state/records.js';
import type { CardForm } from './card-form.js';
import { Page, TestBadge } from './layout.js';

interface Props {
  session: StoredSession;
  merchant: string;
  form: CardForm;
  /** Errors by field. */
  errors: Partial<Record<keyof CardForm, string>>;
  /** Why the card was declined. */
  declined?: string;
}

/** The payment page. */
export function CheckoutPage(props: Props) {
  const { session, merchant } = props;
  return (
    <Page title={`${merchant} – ${isSetup(session) ? 'save a card' : `pay ${total(session)}`}`}>
      <div class="checkout">
        <Summary session={session} merchant={merchant} />
        <main class="payment">
          <div>
            <PaymentForm {...props} />
          </div>
        </main>
      </div>
    </Page>
  );
}

function Summary({ session, merchant }: Pick<Props, 'session' | 'merchant'>) {
  const leaveTo = cancelUrl(session);
  return (
    <section class="summary" aria-label="Order summary">
      <div>
        <div class="merchant">
          {leaveTo && (
            <a class="leave" href={leaveTo} aria-label={`Back to ${merchant}`}>
              ←
            </a>
          )}
          <span>{merchant}</span>
          <TestBadge />
        </div>
        <div class="muted">{isSetup(session) ? `Save a card for ${merchant}` : `Pay ${merchant}`}</div>
        {!isSetup(session) && <p class="total">{total(session)}</p>}
        <ul class="lines">
          {session.line_items.map((line) => (
            <li>
              <span>
                {line.description}
                {line.quantity > 1 && (
                  <span class="muted small">
                    <br />
                    {line.quantity} × {formatAmount(line.price.unit_amount ?? 0, line.currency)}
                  </span>
                )}
              </span>
              <span class="amount">{formatAmount(line.amount_total, line.currency)}</span>
            </li>
          ))}
          {!isSetup(session) && (
            <li class="due">
              <span>Total due</span>
              <span class="amount">{total(session)}</span>
            </li>
          )}
        </ul>
        <p class="fine muted small">This is a simulator. No card is charged and no money moves.</p>
      </div>
    </section>
  );
}

function PaymentForm({ session, form, errors, declined }: Props) {
  const leaveTo = cancelUrl(session);
  return (
    <form method="post" action={`/c/pay/${session.object.id}`} novalidate>
      <h1>{isSetup(session) ? 'Save your card' : 'Pay with card'}</h1>
      {declined && (
        <p class="notice" role="alert">
          <strong>{declined}</strong> You have not been charged. Try again, or use another card.
        </p>
      )}
      <fieldset>
        <label class="above" for="email">
          Email
        </label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          value={form.email}
          {...invalid(errors.email)}
        />
        <FieldError text={errors.email} />
      </fieldset>
      <CardFields form={form} errors={errors} />
      <fieldset>
        <label class="above" for="name">
          Name on card
        </label>
        <input id="name" name="name" autocomplete="cc-name" value={form.name} {...invalid(errors.name)} />
        <FieldError text={errors.name} />
      </fieldset>
      <div class="actions">
        <button type="submit" name="action" value="pay">
          {isSetup(session) ? 'Save card' : `Pay ${total(session)}`}
        </button>
        <div class={leaveTo ? 'pair' : ''}>
          <button class="plain" type="submit" name="action" value="decline">
            Decline
          </button>
          {leaveTo && (
            <button class="plain" type="submit" name="action" value="leave">
              Leave
            </button>
          )}
        </div>
      </div>
      <p class="muted small">
        “Pay” uses the card above: 4242 4242 4242 4242 is accepted, 4000 0000 0000 0002 is declined. “Decline”
        lets the bank say no, whatever the card. “Leave” goes back without paying.
      </p>
    </form>
  );
}

function CardFields({ form, errors }: Pick<Props, 'form' | 'errors'>) {
  return (
    <fieldset>
      <legend>Card information</legend>
      <div class="card">
        <div class="number">
          <label class="hidden" for="number">
            Card number
          </label>
          <input
            id="number"
            name="number"
            inputmode="numeric"
            autocomplete="cc-number"
            placeholder="1234 1234 1234 1234"
            value={form.number}
            {...invalid(errors.number)}
          />
        </div>
        <div class="expiry">
          <label class="hidden" for="expiry">
            Expiry
          </label>
          <input
            id="expiry"
            name="expiry"
            autocomplete="cc-exp"
            placeholder="MM / YY"
            value={form.expiry}
            {...invalid(errors.expiry)}
          />
        </div>
        <div class="cvc">
          <label class="hidden" for="cvc">
            CVC
          </label>
          <input
            id="cvc"
            name="cvc"
            inputmode="numeric"
            autocomplete="cc-csc"
            placeholder="CVC"
            value={form.cvc}
            {...invalid(errors.cvc)}
          />
        </div>
      </div>
      <FieldError text={errors.number ?? errors.expiry ?? errors.cvc} />
    </fieldset>
  );
}

function FieldError({ text }: { text?: string }) {
  return text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;
}

function invalid(error?: string): { 'aria-invalid'?: 'true' } {
  return error ? { 'aria-invalid': 'true' } : {};
}

const isSetup = ({ object }: StoredSession): boolean => object.mode === 'setup';

function total({ object }: StoredSession): string {
  return formatAmount(object.amount_total ?? 0, object.currency ?? '');
}
