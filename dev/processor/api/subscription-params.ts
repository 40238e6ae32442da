import {
  currency,
  emptyable,
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
} from '../http/params.js';
import { RECURRING_PARAMS } from './catalog.js';

/** How a change during a period is billed. */
export const PRORATION_PARAMS = {
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: integer(),
};

/** One item of a subscription. */
export const ITEM_PARAMS = {
  price: text(),
  price_data: object({
    currency: required(currency()),
    product: required(text()),
    recurring: required(object(RECURRING_PARAMS)),
    unit_amount: integer(0, 99_999_999),
    tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
    ...unsimulated('unit_amount_decimal'),
  }),
  quantity: integer(0, 999_999),
  metadata: metadata(),
  ...unsimulated('billing_thresholds discounts tax_rates'),
};

/** Changes an existing item by its id, or deletes it. */
export const ITEM_CHANGE_PARAMS = {
  ...ITEM_PARAMS,
  id: text(),
  deleted: flag(),
  ...ignored('clear_usage'),
};

const COMMON = {
  cancel_at_period_end: flag(),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  days_until_due: integer(0, 365),
  default_payment_method: text(),
  description: text(500),
  metadata: metadata(),
  off_session: flag(),
  payment_behavior: oneOf(
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ),
  ...ignored('invoice_settings payment_settings trial_settings'),
  ...unsimulated(`
    add_invoice_items application_fee_percent automatic_tax billing_schedules billing_thresholds cancel_at
    default_source default_tax_rates discounts on_behalf_of pending_invoice_item_interval transfer_data
    trial_end trial_from_plan
  `),
};

/** The parameters of a new subscription. */
export const CREATE_PARAMS = {
  ...COMMON,
  proration_behavior: PRORATION_PARAMS.proration_behavior,
  customer: required(text()),
  items: required(list(object(ITEM_PARAMS), 20)),
  billing_cycle_anchor: integer(),
  currency: currency(),
  // Flexible by default since 2025-09-30.clover.
  billing_mode: object({ type: required(oneOf('classic', 'flexible')), ...ignored('flexible') }),
  ...unsimulated('backdate_start_date billing_cycle_anchor_config customer_account trial_period_days'),
};

/** The parameters of an update. */
export const UPDATE_PARAMS = {
  ...COMMON,
  ...PRORATION_PARAMS,
  items: list(object(ITEM_CHANGE_PARAMS), 20),
  billing_cycle_anchor: oneOf('unchanged'),
  pause_collection: emptyable(
    object({
      behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer(),
    }),
  ),
  ...ignored('cancellation_details'),
};
