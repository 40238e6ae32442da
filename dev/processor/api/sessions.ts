import type Stripe from 'stripe';
import { requireChargeable } from '../currencies.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { listInside, LIST_PARAMS } from '../http/listing.js';
import { metadata, oneOf, text } from '../http/params.js';
import { intentData } from '../payments/intent.js';
import { expireCheckout, expireInTime } from '../payments/checkout.js';
import { unixNow } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { LineItem, StoredSession } from '../state/records.js';
import { requireChargesEnabled } from '../payments/account.js';
import { buildLineItems } from './line-items.js';
import { resource } from '../http/resource.js';
import { SESSION_PARAMS, type SessionParams } from './session-params.js';
import { requireSupportedTypes } from './payment-method-types.js';
import { nulls } from '../names.js';

const HALF_AN_HOUR = 30 * 60;
const ONE_DAY = 24 * 60 * 60;

const sessions = resource('/v1/checkout/sessions', (store) => store.sessions, 'session');

/** Checkout sessions. */
export const sessionEndpoints = [
  endpoint('post', '/v1/checkout/sessions', SESSION_PARAMS, (call) => {
    requireSupportedTypes(call);
    return create(call).object;
  }),

  sessions.list({ customer: text(), payment_intent: text(), status: oneOf('open', 'complete', 'expired') }),
  sessions.retrieve(),
  sessions.update({ metadata: metadata() }),

  endpoint(
    'get',
    '/v1/checkout/sessions/:id/line_items',
    { limit: LIST_PARAMS.limit, starting_after: text(), ending_before: text() },
    (call) => listInside(`/v1/checkout/sessions/${call.id}/line_items`, sessions.find(call).line_items),
  ),

  endpoint(
    'post',
    '/v1/checkout/sessions/:id/expire',
    {},
    (call) => expireCheckout(call.sim, sessions.find(call), call.origin).object,
  ),
];

function create({ sim, params, account, origin }: Call<typeof SESSION_PARAMS>): StoredSession {
  requireChargesEnabled(sim, account);
  checkCombination(params);
  if (params.customer) sim.store.require(sim.store.customers, params.customer, account, 'customer', 400);
  const line_items = buildLineItems(sim.store, params.line_items ?? [], account);
  const object = buildSession(params, line_items, sim.baseUrl);
  const stored = sim.store.add(sim.store.sessions, object, origin, {
    line_items,
    setup_data: {
      description: params.setup_intent_data?.description ?? null,
      metadata: params.setup_intent_data?.metadata ?? {},
    },
    intent_data: intentData(params.payment_intent_data),
  });
  expireInTime(sim, stored);
  return stored;
}

function checkCombination(params: SessionParams): void {
  for (const other of ['customer_creation', 'customer_email'] as const) {
    if (params.customer && params[other]) {
      throw invalidRequest(`You may only specify one of these parameters: customer, ${other}.`, other);
    }
  }
  if (params.mode === 'setup') {
    for (const param of ['line_items', 'payment_intent_data'] as const)
      if (params[param]) throw invalidRequest(`You can not pass \`${param}\` in \`setup\` mode.`, param);
    return;
  }
  if (params.setup_intent_data) {
    throw invalidRequest('You can not pass `setup_intent_data` in `payment` mode.', 'setup_intent_data');
  }
  if (!params.line_items?.length) {
    throw invalidRequest('You must provide at least one line item.', 'line_items');
  }
}

function buildSession(params: SessionParams, items: LineItem[], baseUrl: string): Stripe.Checkout.Session {
  const id = newId('cs_test', 58);
  const created = unixNow();
  const pays = params.mode === 'payment';
  const amount = pays ? items.reduce((sum, { amount_total }) => sum + amount_total, 0) : null;
  const currency = pays ? oneCurrency(params, items) : (params.currency ?? null);
  if (amount !== null) requireChargeable(amount, currency!, "The Checkout Session's total amount due");
  return {
    ...nulls(`
      after_expiration client_secret consent consent_collection currency_conversion customer_account
      customer_details integration_identifier invoice managed_payments origin_context payment_intent
      payment_link payment_method_configuration_details permissions recovered_from
      saved_payment_method_options setup_intent shipping_address_collection shipping_cost subscription
      wallet_options
    `),
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    collected_information: { business_name: null, individual_name: null, shipping_details: null },
    created,
    currency,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: params.customer ?? null,
    customer_creation: params.customer ? null : (params.customer_creation ?? 'if_required'),
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: checkedExpiry(params.expires_at ?? created + ONE_DAY, created),
    invoice_creation: {
      enabled: false,
      invoice_data: {
        ...nulls('account_tax_ids custom_fields description footer issuer rendering_options'),
        metadata: {},
      },
    },
    livemode: false,
    locale: (params.locale ?? null) as Stripe.Checkout.Session.Locale | null,
    metadata: params.metadata ?? {},
    mode: params.mode,
    payment_method_collection: pays ? 'if_required' : 'always',
    payment_method_options: {},
    payment_method_types: params.payment_method_types ?? ['card'],
    payment_status: pays ? 'unpaid' : 'no_payment_required',
    phone_number_collection: { enabled: false },
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${baseUrl}/c/pay/${id}`,
  };
}

function oneCurrency(params: SessionParams, items: LineItem[]): string {
  const currencies = new Set(items.map(({ currency }) => currency));
  if (params.currency) currencies.add(params.currency);
  const [currency = ''] = currencies;
  if (currencies.size === 1) return currency;
  throw invalidRequest('All line items must have the same currency.', 'line_items');
}

function checkedExpiry(expires_at: number, created: number): number {
  const ahead = expires_at - created;
  if (ahead >= HALF_AN_HOUR && ahead <= ONE_DAY) return expires_at;
  const limit = ahead < HALF_AN_HOUR ? 'at least 30 minutes' : 'less than 24 hours';
  throw invalidRequest(
    `The \`expires_at\` timestamp must be ${limit} from Checkout Session creation.`,
    'expires_at',
  );
}
