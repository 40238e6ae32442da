import type Stripe from 'stripe';
import { Grid, Page } from '../../simulator/pages.js';
import { formatAmount } from '../currencies.js';
import { cancelUrl } from '../payments/checkout.js';
import type { StoredAccountLink, StoredSession } from '../state/records.js';

/**
 * Shown for a paid session to anyone who opens its address again. It does not link to any address of the
 * payer.
 */
export function CompletedPage({ session, merchant }: { session: StoredSession; merchant: string }) {
  const { mode, payment_status } = session.object;
  const [title, text] =
    mode === 'setup'
      ? ['Your card is saved', `${merchant} can charge it for what you owe.`]
      : payment_status === 'paid'
        ? ['This has been paid', `${merchant} has received your payment. There is nothing more to pay here.`]
        : [
            'Your payment is on its way',
            `${merchant} will be notified as soon as your bank has confirmed it.`,
          ];
  return (
    <Page title={title}>
      <p class="muted">{text}</p>
    </Page>
  );
}

/** Shown for a session that has expired. */
export function ExpiredPage({ session, merchant }: { session: StoredSession; merchant: string }) {
  const leaveTo = cancelUrl(session);
  return (
    <Page title="This checkout has expired">
      <p class="muted">It can no longer be paid, and you have not been charged. Start again at {merchant}.</p>
      {leaveTo && (
        <a class="button" href={leaveTo}>
          Back to {merchant}
        </a>
      )}
    </Page>
  );
}

/** The receipt. */
export function ReceiptPage({ charge, merchant }: { charge: Stripe.Charge; merchant: string }) {
  const { id, amount, amount_refunded, created, currency, payment_method_details: details } = charge;
  const card = details?.card && `${details.card.brand} •••• ${details.card.last4}`;
  const refunded = amount_refunded ? [['Refunded', formatAmount(amount_refunded, currency)] as const] : [];
  return (
    <Page title={`Receipt from ${merchant}`}>
      <p>Test mode</p>
      <Grid
        rows={[
          ['Amount', formatAmount(amount, currency)],
          ...refunded,
          ['Date', new Date(created * 1000).toUTCString()],
          ['Method', card ?? details?.type.replaceAll('_', ' ')],
          ['Reference', id],
        ]}
      />
    </Page>
  );
}

interface OnboardingProps {
  account: Stripe.Account;
  link: StoredAccountLink;
  path: string;
}

/** The one-step onboarding of a connected account. */
export function OnboardingPage({ account, link, path }: OnboardingProps) {
  return (
    <Page title="Get ready to take payments">
      <p class="muted">
        On the real page, the business owner enters their details, proof of identity and a bank account. The
        simulator needs none of them: click the button, and the account can take charges.
      </p>
      <Grid
        rows={[
          ['Account', account.id],
          ['Email', account.email ?? 'not given'],
          ['Country, currency', `${account.country}, ${account.default_currency?.toUpperCase()}`],
        ]}
      />
      <form method="post" action={path}>
        <button>Finish</button>
        <a class="button plain" href={link.return_url}>
          Save for later
        </a>
      </form>
    </Page>
  );
}
