import {
  currency,
  flag,
  ignored,
  integer,
  list,
  metadata,
  object,
  oneOf,
  required,
  text,
  unsimulated,
  url,
  type Parsed,
} from '../http/params.js';

const PRICE_DATA = {
  currency: required(currency()),
  product: text(),
  product_data: object({
    name: required(text()),
    description: text(),
    images: list(text(), 8),
    metadata: metadata(),
    tax_code: text(),
    unit_label: text(12),
  }),
  unit_amount: integer(0, 99_999_999),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  ...unsimulated('unit_amount_decimal recurring'),
};

const INTENT_DATA = {
  description: text(1000),
  metadata: metadata(),
  receipt_email: text(800),
  setup_future_usage: oneOf('off_session', 'on_session'),
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
  transfer_group: text(),
  capture_method: oneOf('automatic', 'automatic_async'),
  ...unsimulated('application_fee_amount on_behalf_of shipping transfer_data'),
};

/** The parameters of a checkout session. */
export const SESSION_PARAMS = {
  mode: required(oneOf('payment', 'setup')),
  line_items: list(
    object({
      price: text(),
      price_data: object(PRICE_DATA),
      quantity: integer(1, 999_999),
      metadata: metadata(),
      ...unsimulated('adjustable_quantity tax_rates'),
    }),
  ),
  success_url: required(url()),
  cancel_url: url(),
  expires_at: integer(),
  client_reference_id: text(200),
  currency: currency(),
  customer: text(),
  customer_creation: oneOf('always', 'if_required'),
  customer_email: text(800),
  locale: text(10),
  metadata: metadata(),
  payment_intent_data: object(INTENT_DATA),
  setup_intent_data: object({
    description: text(1000),
    metadata: metadata(),
    ...unsimulated('on_behalf_of'),
  }),
  allowed_payment_method_types: list(text()),
  payment_method_types: list(text()),
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe'),
  billing_address_collection: oneOf('auto', 'required'),
  ui_mode: oneOf('hosted_page'),
  allow_promotion_codes: flag(),
  ...ignored(`
    adaptive_pricing branding_settings consent_collection custom_text customer_update
    excluded_payment_method_types integration_identifier name_collection origin_context
    payment_method_collection payment_method_configuration payment_method_data payment_method_options
    phone_number_collection saved_payment_method_options wallet_options
  `),
  ...unsimulated(`
    after_expiration automatic_tax custom_fields customer_account discounts invoice_creation managed_payments
    optional_items permissions redirect_on_completion return_url shipping_address_collection shipping_options
    subscription_data tax_id_collection
  `),
};

export type SessionParams = Parsed<typeof SESSION_PARAMS>;
export type LineItemParams = NonNullable<SessionParams['line_items']>[number];
