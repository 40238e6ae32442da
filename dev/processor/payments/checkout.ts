import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import type { Decline, Stored, StoredPaymentMethod, StoredSession, Origin } from '../state/records.js';
import { DEFAULT_CARD, type CardDetails } from './cards.js';
import { createCustomer } from './customer.js';
import { cancelIntent, chargeIntent, createIntent, settleIntent } from './intent.js';
import { createBankDebit, createCard, type Payer } from './payment-method.js';
import { declineOfSetup, saveCard } from './setup.js';

/** A payer's attempt to pay. */
export interface Attempt {
  card?: CardDetails;
  email?: string | null;
  name?: string | null;
  /** With an asynchronous payment method. */
  async?: boolean;
  /** Declines any card. */
  decline?: Decline;
}

/** Tries to pay a session. Returns the decline, if any: the session stays open for another attempt. */
export function payCheckout(sim: Simulator, stored: StoredSession, attempt: Attempt): Decline | null {
  requireOpen(stored);
  if (stored.object.mode === 'setup') return saveSessionCard(sim, stored, attempt);
  const origin = { account: stored.account };
  const payer = sessionPayer(stored, attempt);
  const customer = customerFor(sim, stored, payer);
  const method = attempt.async
    ? createBankDebit(sim, stored.account, payer)
    : createCard(sim, stored.account, attempt.card ?? DEFAULT_CARD, payer);
  const outcome = attempt.decline ?? method.behaviour.on_session;
  const intent = intentFor(sim, stored, customer, method);
  if (outcome !== 'approved') {
    chargeIntent(sim, intent, method, outcome, origin);
    patchSession(sim, stored, { payment_intent: intent.object.id });
    return outcome;
  }
  // A declined card is not saved.
  if (customer && stored.intent_data.setup_future_usage) {
    sim.store.patch(sim.store.payment_methods, method, { customer });
  }
  chargeIntent(sim, intent, method, attempt.async ? 'pending' : 'succeeded', origin);
  const completed = patchSession(sim, stored, {
    customer,
    customer_details: customerDetails(payer),
    payment_intent: intent.object.id,
    payment_status: attempt.async ? 'unpaid' : 'paid',
    status: 'complete',
    url: null,
  });
  emit(sim.store, 'checkout.session.completed', completed.object, origin);
  return null;
}

/** Saves the card of a session in setup mode. Returns the decline, if any: the session stays open. */
function saveSessionCard(sim: Simulator, stored: StoredSession, attempt: Attempt): Decline | null {
  const { account } = stored;
  const payer = sessionPayer(stored, attempt);
  const method = createCard(sim, account, attempt.card ?? DEFAULT_CARD, payer);
  const decline = attempt.decline ?? declineOfSetup(method);
  if (decline) return decline;
  const customer = String(stored.object.customer ?? createCustomer(sim, payer, { account }).id);
  const { id } = saveCard(sim, stored, method, customer);
  const completed = patchSession(sim, stored, {
    customer,
    customer_details: customerDetails(payer),
    setup_intent: id,
    status: 'complete',
    url: null,
  });
  emit(sim.store, 'checkout.session.completed', completed.object, { account });
  return null;
}

/** Ends an asynchronous payment, as a success or a failure. */
export function settleCheckout(sim: Simulator, stored: StoredSession, succeeds: boolean): StoredSession {
  const { store } = sim;
  const { payment_intent, status, payment_status } = stored.object;
  const intent = payment_intent ? store.payment_intents.get(String(payment_intent)) : undefined;
  if (status !== 'complete' || payment_status !== 'unpaid' || intent?.object.status !== 'processing') {
    throw invalidRequest('This Checkout Session has no payment that is being processed.');
  }
  const origin = { account: stored.account };
  settleIntent(sim, intent, succeeds);
  if (!succeeds) {
    emit(store, 'checkout.session.async_payment_failed', stored.object, origin);
    return stored;
  }
  const paid = patchSession(sim, stored, { payment_status: 'paid' });
  emit(store, 'checkout.session.async_payment_succeeded', paid.object, origin);
  return paid;
}

/** Expires an open session. */
export function expireCheckout(sim: Simulator, stored: StoredSession, origin: Origin): StoredSession {
  if (stored.object.status !== 'open') {
    throw invalidRequest(
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session ' +
        `has a status of \`${stored.object.status}\`.`,
    );
  }
  const intent = sim.store.payment_intents.get(String(stored.object.payment_intent));
  if (intent) cancelIntent(sim, intent, 'automatic');
  const expired = patchSession(sim, stored, { status: 'expired', url: null });
  emit(sim.store, 'checkout.session.expired', expired.object, origin);
  return expired;
}

/** Schedules the expiry of a session that is not paid by then. */
export function expireInTime(sim: Simulator, { object }: StoredSession): void {
  sim.timers.at(object.expires_at * 1000, () => {
    const stored = sim.store.sessions.get(object.id);
    if (stored?.object.status !== 'open') return;
    sim.store.transaction(() => expireCheckout(sim, stored, { account: stored.account }));
  });
}

/** The URL that the payer is redirected to after paying. */
export function successUrl({ object }: StoredSession): string {
  return (object.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', object.id);
}

/** The URL that the payer is redirected to on leaving. */
export function cancelUrl({ object }: StoredSession): string | null {
  return object.cancel_url?.replaceAll('{CHECKOUT_SESSION_ID}', object.id) ?? null;
}

function requireOpen({ object }: StoredSession): void {
  const late = object.status === 'open' && object.expires_at <= unixNow();
  if (object.status === 'open' && !late) return;
  const status = late ? 'expired' : object.status;
  throw invalidRequest(`This Checkout Session cannot be paid: it has a status of \`${status}\`.`);
}

function sessionPayer({ object }: StoredSession, { email, name }: Attempt): Payer {
  return { email: email ?? object.customer_email ?? 'payer@example.com', name: name ?? 'Test Payer' };
}

function customerFor(
  sim: Simulator,
  { object, account, intent_data }: StoredSession,
  payer: Payer,
): string | null {
  if (object.customer) return String(object.customer);
  const previous = sim.store.payment_intents.get(String(object.payment_intent))?.object.customer;
  if (previous) return String(previous);
  if (object.customer_creation !== 'always' && !intent_data.setup_future_usage) return null;
  return createCustomer(sim, payer, { account }).id;
}

/** A session has one intent, no matter how many attempts there are. */
function intentFor(
  sim: Simulator,
  { object, account, intent_data }: StoredSession,
  customer: string | null,
  method: StoredPaymentMethod,
): Stored<Stripe.PaymentIntent> {
  const existing = sim.store.payment_intents.get(String(object.payment_intent));
  if (existing) return existing;
  const fields = {
    ...intent_data,
    amount: object.amount_total ?? 0,
    currency: object.currency ?? '',
    customer,
    payment_method: null,
    payment_method_types: [...new Set([...object.payment_method_types, method.object.type])],
  };
  return createIntent(sim, fields, { account });
}

function patchSession(
  { store }: Simulator,
  stored: StoredSession,
  changes: Partial<Stripe.Checkout.Session>,
) {
  return store.patch(store.sessions, stored, changes);
}

function customerDetails({ email, name }: Payer): Stripe.Checkout.Session.CustomerDetails {
  const address = { city: null, country: 'GB', line1: null, line2: null, postal_code: null, state: null };
  return {
    address,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}
