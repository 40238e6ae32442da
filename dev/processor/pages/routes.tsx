import type Router from '@koa/router';
import type { Context } from 'koa';
import { readForm, redirect, show, showNotFound } from '../../simulator/pages.js';
import { enableAccount, findAccount, PLATFORM_ACCOUNT } from '../payments/account.js';
import { GENERIC_DECLINE } from '../payments/cards.js';
import { cancelUrl, payCheckout, successUrl } from '../payments/checkout.js';
import { unixNow, type Simulator } from '../simulator.js';
import type { StoredSession } from '../state/records.js';
import { prefilledForm, readCardForm, type CardForm } from './card-form.js';
import { CheckoutPage } from './checkout.js';
import { CompletedPage, ExpiredPage, OnboardingPage, ReceiptPage } from './messages.js';

type Params = Record<'id' | 'token', string>;

/** The pages for payers and account owners. They work without scripts. */
export function addPages(router: Router, sim: Simulator): void {
  router.get('/c/pay/:id', (ctx) => showCheckout(sim, ctx));
  router.post('/c/pay/:id', (ctx) => submitCheckout(sim, ctx));
  router.get('/receipts/:id', (ctx) => showReceipt(sim, ctx));
  router.get('/setup/s/:id/:token', (ctx) => showOnboarding(sim, ctx));
  router.post('/setup/s/:id/:token', (ctx) => finishOnboarding(sim, ctx));
}

function showCheckout(sim: Simulator, ctx: Context): void {
  const session = openSession(sim, ctx);
  if (!session) return;
  const form = prefilledForm(session.object.customer_email);
  show(
    ctx,
    <CheckoutPage session={session} merchant={merchantName(sim, session.account)} form={form} errors={{}} />,
  );
}

async function submitCheckout(sim: Simulator, ctx: Context): Promise<void> {
  const fields = await readForm(ctx);
  // Looked up after the body has been read, as another tab may have paid in the meantime.
  const session = openSession(sim, ctx);
  if (!session) return;
  const { action, ...form } = Object.fromEntries(
    ['action', 'email', 'name', 'number', 'expiry', 'cvc'].map((name) => [name, fields.get(name) ?? '']),
  ) as Record<keyof CardForm | 'action', string>;
  const leaveTo = cancelUrl(session);
  if (action === 'leave' && leaveTo) return redirect(ctx, leaveTo);
  const decline = action === 'decline' ? GENERIC_DECLINE : undefined;
  const { card, errors } = readCardForm(form);
  const page = (declined?: string) => (
    <CheckoutPage
      session={session}
      merchant={merchantName(sim, session.account)}
      form={form}
      errors={decline ? {} : errors}
      declined={declined}
    />
  );
  if (!card && !decline) return show(ctx, page(), 422);
  const attempt = { card, decline, email: form.email || null, name: form.name || null };
  const declined = sim.store.transaction(() => payCheckout(sim, session, attempt));
  if (declined) return show(ctx, page(declined.message), 402);
  redirect(ctx, successUrl(session));
}

/** The session if it can be paid. Otherwise sends the page that says why not. */
function openSession(sim: Simulator, ctx: Context): StoredSession | undefined {
  const session = sim.store.sessions.get(params(ctx).id);
  if (!session) {
    showNotFound(ctx);
    return undefined;
  }
  const merchant = merchantName(sim, session.account);
  const { status, expires_at } = session.object;
  if (status === 'complete') show(ctx, <CompletedPage session={session} merchant={merchant} />);
  else if (status === 'expired' || expires_at <= unixNow()) {
    show(ctx, <ExpiredPage session={session} merchant={merchant} />, 410);
  } else return session;
  return undefined;
}

function showReceipt(sim: Simulator, ctx: Context): void {
  const charge = sim.store.charges.get(params(ctx).id);
  if (!charge?.object.paid) return showNotFound(ctx);
  show(ctx, <ReceiptPage charge={charge.object} merchant={merchantName(sim, charge.account)} />);
}

function showOnboarding(sim: Simulator, ctx: Context): void {
  const link = accountLink(sim, ctx);
  if (!link) return;
  show(ctx, <OnboardingPage account={findAccount(sim, link.account).object} link={link} path={ctx.path} />);
}

function finishOnboarding(sim: Simulator, ctx: Context): void {
  const link = accountLink(sim, ctx);
  if (!link) return;
  const { store } = sim;
  store.transaction(() => {
    enableAccount(sim, link.account, true);
    store.account_links.delete(params(ctx).token);
  });
  redirect(ctx, link.return_url);
}

/** The onboarding link. Redirects an expired one to its refresh URL. */
function accountLink(sim: Simulator, ctx: Context) {
  const { id, token } = params(ctx);
  const link = sim.store.account_links.get(token);
  if (!link || link.account !== id) {
    showNotFound(ctx);
    return undefined;
  }
  if (link.expires_at > unixNow()) return link;
  redirect(ctx, link.refresh_url);
  return undefined;
}

/** The business name. */
function merchantName(sim: Simulator, account: string | null): string {
  const { object } = findAccount(sim, account ?? PLATFORM_ACCOUNT);
  return object.business_profile?.name ?? object.settings?.dashboard?.display_name ?? 'Test business';
}

function params(ctx: Context): Params {
  return ctx['params'] as Params;
}
