import joi from 'joi';
import { TIERS } from '../../domain/price.js';
import { PROCESSOR_STATUSES } from '../../domain/states.js';
import * as s from '../resource/shapes.js';

/** A workspace as `presentWorkspace` returns it. */
export const workspace = s.shape({
  id: s.idOf('ws'),
  name: s.anyText,
  time_zone: s.anyText,
  currency: s.currencyCode,
  checkout_hold_seconds: s.count.description('How long a slot is held while the payer pays.'),
  processor: s.shape({
    account_id: s.nullableText,
    status: s.oneOf(PROCESSOR_STATUSES),
    due_by: s.instant
      .allow(null)
      .description(
        'When the processor restricts the account unless its operator has submitted what it requires.',
      ),
    problem: s.nullableText.description('Why the processor has restricted the account, in its own code.'),
  }),
  accounting: s.shape({
    enabled: joi.boolean(),
    status: s.oneOf(['unconfigured', 'active', 'revoked']),
    organisation: s.nullableText,
    sales_account: s.nullableText,
    payment_account: s.nullableText,
    problems: joi.array().items(s.shape({ param: s.anyText, message: s.anyText })),
  }),
  tax_codes: joi
    .array()
    .items(s.shape({ code: s.anyText, rate_bps: s.count, accounting_tax_type: s.anyText })),
  tier_prices: s
    .shape(Object.fromEntries(TIERS.map((tier) => [tier, s.minor])))
    .description('The monthly price of each tier, in minor units.'),
  invoice_details: s.nullableText.description('Text on every invoice, such as the address and tax number.'),
  refuse_overdue_payers: joi
    .boolean()
    .description('Whether payers with an overdue invoice are refused new bookings on account.'),
  return_url: s.nullableText.description('Where payers can go after the checkout.'),
  booking_url: s.nullableText.description(
    'Where payers can book again, for pages and mail about a booking that is over.',
  ),
  contact_email: s.nullableText.description('The address that payers see and that replies to mail go to.'),
  maintenance: s.orNull(s.shape({ starts_at: s.instant, ends_at: s.instant })),
  created_at: s.instant,
  updated_at: s.instant,
});

/** What the connected organisation has. */
export const accountingChart = s.shape({
  organisation: s.anyText,
  sales_accounts: joi.array().items(s.shape({ code: s.anyText, name: s.anyText, is_revenue: joi.boolean() })),
  payment_accounts: joi.array().items(s.shape({ code: s.anyText, name: s.anyText })),
  tax_types: joi.array().items(s.shape({ tax_type: s.anyText, name: s.anyText, rate_bps: s.integer })),
  currencies: joi.array().items(s.currencyCode),
  read_at: s.instant,
});

/** A page to open in a browser. */
export const link = s.shape({ url: joi.string() });
