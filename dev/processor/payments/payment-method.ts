import type Stripe from 'stripe';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { CardBehaviour, StoredPaymentMethod } from '../state/records.js';
import { cardBehaviour, cardBrand, type CardDetails } from './cards.js';
import { nulls } from '../names.js';

/** The payer. */
export interface Payer {
  email: string | null;
  name: string | null;
}

const EMPTY_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

/** Billing details of charges and payment methods. */
function billingDetails({ email, name }: Payer) {
  return { address: EMPTY_ADDRESS, email, name, phone: null, tax_id: null };
}

/** Stores a card: its brand and last four digits, not its number. */
export function createCard(
  { store }: Simulator,
  account: string | null,
  card: CardDetails,
  payer: Payer,
): StoredPaymentMethod {
  const object = {
    ...common(payer),
    type: 'card',
    card: {
      brand: cardBrand(card.number),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: cardBrand(card.number),
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: newId('fp', 16).slice(3),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [cardBrand(card.number)], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  } as Stripe.PaymentMethod;
  return store.add(store.payment_methods, object, { account }, { behaviour: cardBehaviour(card.number) });
}

/** A bank debit, which succeeds or fails days later. */
export function createBankDebit(
  { store }: Simulator,
  account: string | null,
  payer: Payer,
): StoredPaymentMethod {
  const object = {
    ...common(payer),
    type: 'sepa_debit',
    sepa_debit: {
      bank_code: '37040044',
      branch_code: '',
      country: 'DE',
      fingerprint: newId('fp', 16).slice(3),
      generated_from: { charge: null, setup_attempt: null },
      last4: '3000',
    },
  } as Stripe.PaymentMethod;
  const behaviour: CardBehaviour = { on_session: 'approved', off_session: 'approved' };
  return store.add(store.payment_methods, object, { account }, { behaviour });
}

/** The payment method details of a charge. */
export function methodDetails({
  card,
  sepa_debit,
  type,
}: Stripe.PaymentMethod): Stripe.Charge.PaymentMethodDetails {
  if (!card) {
    const debit = { ...sepa_debit, mandate: null, expected_debit_date: null };
    return { type, sepa_debit: debit } as unknown as Stripe.Charge.PaymentMethodDetails;
  }
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, regulated_status } = card;
  return {
    type,
    card: {
      ...nulls(`
        amount_authorized authorization_code installments mandate network_transaction_id three_d_secure wallet
      `),
      brand,
      checks,
      country,
      exp_month,
      exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint,
      funding,
      incremental_authorization: { status: 'unavailable' },
      last4,
      multicapture: { status: 'unavailable' },
      network: brand,
      network_token: { used: false },
      overcapture: { status: 'unavailable' },
      regulated_status,
    },
  } as unknown as Stripe.Charge.PaymentMethodDetails;
}

function common(payer: Payer) {
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: billingDetails(payer),
    created: unixNow(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
}
