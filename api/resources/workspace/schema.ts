import joi from 'joi';
import type { Maintenance } from '../../../commands/workspaces/maintenance.js';
import type { Workspace } from '../../../db/rows.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { TIERS } from '../../../domain/price.js';
import { currency, email, text, timestamp, timeZone } from '../../http/fields.js';

/** Code or id of an account in the accounting system. One that it lacks is reported, not refused. */
const account = text(50).trim().min(1);

export const MAX_TAX_CODES = 50;

const monthlyPrice = joi.number().integer().min(0).max(MAX_AMOUNT_MINOR);

/** A maintenance window: `ends_at` is after `starts_at` and in the future. */
export const maintenanceWindow = joi
  .object({
    starts_at: timestamp.required().description('The start of the maintenance.'),
    ends_at: timestamp.required().description('The end of the maintenance, exclusive.'),
  })
  .custom((value: Maintenance, helpers) =>
    value.ends_at <= value.starts_at || value.ends_at.getTime() < Date.now()
      ? helpers.message({ custom: 'ends_at must be in the future and after starts_at' })
      : value,
  );

/** Body of `PATCH /v1/workspace` (docs/rules/workspace.md#settings). */
export const updateSchema = joi
  .object({
    name: text(200).trim().min(1).description('The name of the workspace, as shown to payers.'),
    time_zone: timeZone.description('The IANA time zone of new rooms and of the dashboard.'),
    currency: currency.description('The ISO 4217 code of the currency of tier prices and totals.'),
    checkout_hold_seconds: joi
      .number()
      .integer()
      .min(10)
      .max(DAY_SECONDS)
      .description('How long a slot is held while the payer pays.'),
    tax_codes: joi
      .array()
      .items(
        joi.object({
          code: text(50).min(1).required().description('The code to which rooms and invoice lines refer.'),
          rate_bps: joi
            .number()
            .integer()
            .min(0)
            .max(10_000)
            .required()
            .description('The tax rate in basis points: 2000 is 20%.'),
          accounting_tax_type: text(50)
            .min(1)
            .required()
            .description('The tax type in the accounting system.'),
        }),
      )
      .unique('code')
      .min(1)
      .max(MAX_TAX_CODES)
      .description('The tax codes that rooms and invoice lines can use. Replaces the current list.'),
    tier_prices: joi
      .object(
        Object.fromEntries(
          TIERS.map((tier) => [tier, monthlyPrice.description('The price of a month, in minor units.')]),
        ),
      )
      .description('The monthly price of each tier, in minor units.'),
    refuse_overdue_payers: joi
      .boolean()
      .description(
        'Whether to reject new bookings on account of payers with an overdue invoice, which is one that is unpaid 7 days after it was due.',
      ),
    return_url: text(2_000)
      .uri({ scheme: ['http', 'https'] })
      .allow(null)
      .description('The URL of the link that payers see after the checkout.'),
    booking_url: text(2_000)
      .uri({ scheme: ['http', 'https'] })
      .allow(null)
      .description(
        'The URL of your booking page, to which pages and emails about cancelled and expired bookings link.',
      ),
    contact_email: email.allow(null).description('The email address that payers see and reply to.'),
    invoice_details: text(1_000)
      .allow(null)
      .description('Text on every invoice, such as the address and tax number.'),
    maintenance: maintenanceWindow
      .allow(null)
      .description('A window in which requests fail with 503 `maintenance`. Null for none.'),
    accounting: joi
      .object({
        enabled: joi
          .boolean()
          .description('Whether invoices and payments are synced to the accounting system.'),
        sales_account: account.description('The code of the account to which sales are posted.'),
        payment_account: account.description('The code of the account to which payments are posted.'),
      })
      .min(1)
      .description('Settings of the connected accounting system.'),
  })
  .min(1)
  .required();

export type UpdateBody = Partial<Workspace> & {
  accounting?: { enabled?: boolean; sales_account?: string; payment_account?: string };
  maintenance?: Maintenance | null;
};
