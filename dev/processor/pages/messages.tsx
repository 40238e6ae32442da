import type Stripe from 'stripe';
import { formatAmount } from '../currencies.js';
import { cancelUrl, successUrl } from '../payments/checkout.js';
import type { StoredAccountLink, StoredSession } from '../state/records.js';
import { Message, TestBadge } from './layout.js';

/** Shown for a session that has been paid. */
export function CompletedPage({ session, merchant }: { session: StoredSession; merchant: string }) {
  const { mode, payment_status } = session.object;
  const paid = payment_status === 'paid';
  if (mode === 'setup')
    return (
      <Message title="Your card is saved">
        <p class="muted">{merchant} can charge it for what you owe.</p>
        <a class="button" href={successUrl(session)}>
          Continue to {merchant}
        </a>
      </Message>
    );
  return (
    <Message title={paid ? 'This has been paid' : 'Your payment is on its way'}>
      <p class="muted">
        {paid
          ? `${merchant} has received your payment. There is nothing more to pay here.`
          : `${merchant} will be notified as soon as your bank has confirmed it.`}
      </p>
      <a class="button" href={successUrl(session)}>
        Continue to {merchant}
      </a>
    </Message>
  );
}

/** Shown for a session that has expired. */
export function ExpiredPage({ session, merchant }: { session: StoredSession; merchant: string }) {
  const leaveTo = cancelUrl(session);
  return (
    <Message title="This checkout has expired">
      <p class="muted">It can no longer be paid, and you have not been charged. Start again at {merchant}.</p>
      {leaveTo && (
        <a class="button" href={leaveTo}>
          Back to {merchant}
        </a>
      )}
    </Message>
  );
}

/** Shown for an unknown URL. */
export function NotFoundPage() {
  return (
    <Message title="Page not found">
      <p class="muted">This link is incomplete, or the page does not exist.</p>
    </Message>
  );
}

/** The receipt. */
export function ReceiptPage({ charge, merchant }: { charge: Stripe.Charge; merchant: string }) {
  const rows = [
    ['Amount', formatAmount(charge.amount, charge.currency)],
    ...(charge.amount_refunded ? [['Refunded', formatAmount(charge.amount_refunded, charge.currency)]] : []),
    ['Date', new Date(charge.created * 1000).toUTCString()],
    ['Method', describeMethod(charge)],
    ['Reference', charge.id],
  ];
  return (
    <Message title={`Receipt from ${merchant}`}>
      <p>
        <TestBadge />
      </p>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Message>
  );
}

/** The one-step onboarding of a connected account. */
export function OnboardingPage({
  account,
  link,
  path,
}: {
  account: Stripe.Account;
  link: StoredAccountLink;
  path: string;
}) {
  return (
    <Message title="Get ready to take payments">
      <p class="muted">
        Here the owner of the business gives their details, an identity and a bank account. The simulator asks
        for nothing: finish, and the account can take charges. <TestBadge />
      </p>
      <dl class="facts">
        <div>
          <dt class="muted">Account</dt>
          <dd>{account.id}</dd>
        </div>
        <div>
          <dt class="muted">Email</dt>
          <dd>{account.email ?? 'not given'}</dd>
        </div>
        <div>
          <dt class="muted">Country, currency</dt>
          <dd>
            {account.country}, {account.default_currency?.toUpperCase()}
          </dd>
        </div>
      </dl>
      <form method="post" action={path} class="actions">
        <button type="submit">Finish</button>
        <a class="button plain" href={link.return_url}>
          Save for later
        </a>
      </form>
    </Message>
  );
}

function describeMethod({ payment_method_details: details }: Stripe.Charge): string {
  if (details?.card) return `${details.card.brand} •••• ${details.card.last4}`;
  return details?.type.replaceAll('_', ' ') ?? '';
}
