import joi from 'joi';
import { TIERS } from '../../../domain/price.js';
import { PROCESSOR_STATUSES } from '../../../domain/states.js';
import { integer, oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** A workspace as `presentWorkspace` returns it. */
export const workspace = s.shape({
  id: s.idOf('ws'),
  name: s.anyText.description('The name of the workspace, as shown to payers.'),
  time_zone: s.anyText.description('The IANA time zone of new rooms and of the dashboard.'),
  currency: s.currencyCode.description('The ISO 4217 code of the currency of tier prices and totals.'),
  checkout_hold_seconds: s.count.description('How long a slot is held while the payer pays.'),
  processor: s
    .shape({
      account_id: s.nullableText.description('The id of the connected account.'),
      status: oneOf(PROCESSOR_STATUSES).description(
        'The status of the account. Only an `active` account can take payments.',
      ),
      due_by: s.instant
        .allow(null)
        .description(
          'The time at which the processor restricts the account unless the required information has been submitted.',
        ),
      problem: s.nullableText.description(
        'Why the processor has restricted the account, as a code of the processor.',
      ),
    })
    .description('The connection to the payment processor.'),
  accounting: s
    .shape({
      enabled: joi
        .boolean()
        .description('Whether invoices and payments are synced to the accounting system.'),
      status: oneOf(['unconfigured', 'active', 'revoked']).description('The status of the connection.'),
      organisation: s.nullableText.description('The name of the connected organisation.'),
      sales_account: s.nullableText.description('The code of the account to which sales are posted.'),
      payment_account: s.nullableText.description('The code of the account to which payments are posted.'),
      problems: joi
        .array()
        .items(
          s.shape({
            param: s.anyText.description('The setting.'),
            message: s.anyText.description('What is wrong with it, for people.'),
          }),
        )
        .description(
          'The problems with the settings: accounts and tax types that the organisation does not have, and tax codes whose rate differs from that of their tax type.',
        ),
    })
    .description('The connection to the accounting system.'),
  tax_codes: joi
    .array()
    .items(
      s.shape({
        code: s.anyText.description('The code to which rooms and invoice lines refer.'),
        rate_bps: s.count.description('The tax rate in basis points: 2000 is 20%.'),
        accounting_tax_type: s.anyText.description('The tax type in the accounting system.'),
      }),
    )
    .description('The tax codes that rooms and invoice lines can use.'),
  tier_prices: s
    .shape(
      Object.fromEntries(
        TIERS.map((tier) => [tier, s.minor.description('The price of a month, in minor units.')]),
      ),
    )
    .description('The monthly price of each tier, in minor units.'),
  invoice_details: s.nullableText.description('Text on every invoice, such as the address and tax number.'),
  refuse_overdue_payers: joi
    .boolean()
    .description(
      'Whether to reject new bookings on account of payers with an overdue invoice, which is one that is unpaid 7 days after it was due.',
    ),
  return_url: s.nullableText.description('The URL of the link that payers see after the checkout.'),
  booking_url: s.nullableText.description(
    'The URL of your booking page, to which pages and emails about cancelled and expired bookings link.',
  ),
  contact_email: s.nullableText.description('The email address that payers see and reply to.'),
  maintenance: s
    .orNull(
      s.shape({
        starts_at: s.instant.description('The start of the maintenance.'),
        ends_at: s.instant.description('The end of the maintenance, exclusive.'),
      }),
    )
    .description('The current or next maintenance.'),
  created_at: s.instant,
  updated_at: s.instant,
});

/** What the connected organisation has. */
export const accountingChart = s.shape({
  organisation: s.anyText.description('The name of the organisation.'),
  sales_accounts: joi
    .array()
    .items(
      s.shape({
        code: s.anyText.description('The code of the account.'),
        name: s.anyText.description('The name of the account.'),
        is_revenue: joi.boolean().description('Whether it is a revenue account.'),
      }),
    )
    .description('The values for `sales_account`.'),
  payment_accounts: joi
    .array()
    .items(
      s.shape({
        code: s.anyText.description('The code of the account.'),
        name: s.anyText.description('The name of the account.'),
      }),
    )
    .description('The values for `payment_account`.'),
  tax_types: joi
    .array()
    .items(
      s.shape({
        tax_type: s.anyText.description('The code of the tax type.'),
        name: s.anyText.description('The name of the tax type.'),
        rate_bps: integer.description('The tax rate in basis points: 2000 is 20%.'),
      }),
    )
    .description('The values for `accounting_tax_type`.'),
  currencies: joi
    .array()
    .items(s.currencyCode)
    .description('The ISO 4217 codes of the currencies of the organisation.'),
  read_at: s.instant.description('The time at which these values were read from the organisation.'),
});

/** A page to open in a browser. */
export const link = s.shape({ url: joi.string().description('The URL to open in a browser.') });
