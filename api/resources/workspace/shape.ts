import type { Maintenance } from '../../../commands/workspaces/maintenance.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentWorkspace } from '../../../domain/presenters/workspace.js';
import { TIERS } from '../../../domain/price.js';
import { PROCESSOR_STATUSES } from '../../../domain/states.js';
import { currency, email, text, timestamp, timeZone } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  keyed,
  nullable,
  object,
  oneOf,
  string,
  type Infer,
} from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import * as s from '../shared/shapes.js';

/** Code or id of an account in the accounting system. One that it lacks is reported, not refused. */
const account = text(50).trim().min(1);

export const MAX_TAX_CODES = 50;

const taxCode = sidesOf({
  code: field(text(50).min(1), 'The code to which rooms and invoice lines refer.'),
  rate_bps: field(integer.min(0).max(10_000), 'The tax rate in basis points: 2000 is 20%.'),
  accounting_tax_type: field(text(50).min(1), 'The tax type in the accounting system.'),
});

const monthlyPrice = field(integer.min(0).max(MAX_AMOUNT_MINOR), 'The price of a month, in minor units.', {
  read: s.minor,
});

const window = sidesOf({
  starts_at: field(timestamp, 'The start of the maintenance.'),
  ends_at: field(timestamp, 'The end of the maintenance, exclusive.'),
});

/** A maintenance window: `ends_at` is after `starts_at` and in the future. */
export const maintenanceWindow = object(window.sent, 'starts_at', 'ends_at').custom(
  (value: Maintenance, helpers) =>
    value.ends_at <= value.starts_at || value.ends_at.getTime() < Date.now()
      ? helpers.message(
          { custom: 'ends_at must be in the future and after starts_at' },
          { says: 'must end in the future and after its start' },
        )
      : value,
);

const accounting = sidesOf({
  enabled: field(boolean, 'Whether invoices and payments are synced to the accounting system.'),
  sales_account: field(account, 'The code of the account to which sales are posted.', {
    read: s.nullableText,
  }),
  payment_account: field(account, 'The code of the account to which payments are posted.', {
    read: s.nullableText,
  }),
});

const url = nullable(text(2_000).uri({ scheme: ['http', 'https'] }));

const { sent, read } = sidesOf({
  name: field(name, 'The name of the workspace, as shown to payers.'),
  time_zone: field(timeZone, 'The IANA time zone of new rooms and of the dashboard.'),
  currency: field(currency, 'The ISO 4217 code of the currency of tier prices and totals.', {
    read: s.currencyCode,
  }),
  checkout_hold_seconds: field(
    integer.min(10).max(DAY_SECONDS),
    'How long a slot is held while the payer pays.',
  ),
  tax_codes: field(
    array(object(taxCode.sent, 'code', 'rate_bps', 'accounting_tax_type'))
      .unique('code')
      .min(1)
      .max(MAX_TAX_CODES),
    'The tax codes that rooms and invoice lines can use.',
    { sent: 'The tax codes that rooms and invoice lines can use. Replaces the current list.' },
  ),
  tier_prices: field(keyed(TIERS, monthlyPrice.sent), 'The monthly price of each tier, in minor units.', {
    read: s.shape({
      basic: monthlyPrice.read,
      plus: monthlyPrice.read,
      pro: monthlyPrice.read,
      enterprise: monthlyPrice.read,
    }),
  }),
  refuse_overdue_payers: field(
    boolean,
    'Whether to reject new bookings on account of payers with an overdue invoice, which is one that is unpaid 7 days after it was due.',
  ),
  return_url: field(url, 'The URL of the link that payers see after the checkout.'),
  booking_url: field(
    url,
    'The URL of your booking page, to which pages and emails about cancelled and expired bookings link.',
  ),
  contact_email: field(
    nullable(email),
    'The email address that payers see. Replies to emails go there if its holder has accepted a membership of the workspace.',
  ),
  invoice_details: field(nullable(text(1_000)), 'Text on every invoice, such as the address and tax number.'),
  maintenance: field(nullable(maintenanceWindow), 'The current or next maintenance.', {
    sent: 'A window in which requests fail with 503 `maintenance`. Null for none.',
    read: s.orNull(s.shape(window.read)),
  }),
  accounting: field(object(accounting.sent).min(1), 'The connection to the accounting system.', {
    sent: 'Settings of the connected accounting system.',
    read: s.shape({
      ...accounting.read,
      status: oneOf(['unconfigured', 'active', 'revoked']).description('The status of the connection.'),
      organisation: s.nullableText.description('The name of the connected organisation.'),
      problems: array(
        s.shape({
          param: s.anyText.description('The setting.'),
          message: s.anyText.description('What is wrong with it, for people.'),
        }),
      ).description(
        'The problems with the settings: accounts and tax types that the organisation does not have, and tax codes whose rate differs from that of their tax type.',
      ),
    }),
  }),
});

/** Body of `PATCH /v1/workspace` (docs/rules/workspace.md#settings). */
export const updateSchema = object(sent).min(1).required();
export type UpdateBody = Infer<typeof updateSchema>;

/** A workspace in responses. */
export const workspace = s.presentedBy(
  presentWorkspace,
  s.shape({
    id: s.idOf('ws'),
    ...read,
    processor: s
      .shape({
        account_id: s.nullableText.description('The id of the connected account.'),
        status: oneOf(PROCESSOR_STATUSES).description(
          'The status of the account. Only an `active` account can take payments.',
        ),
        due_by: s.nullableInstant.description(
          'The time at which the processor restricts the account unless the required information has been submitted.',
        ),
        problem: s.nullableText.description(
          'Why the processor has restricted the account, as a code of the processor.',
        ),
      })
      .description('The connection to the payment processor.'),
    recovering: s
      .orNull(
        s.shape({
          since: s.instant.description('The time since which facts may be missing.'),
          accounts_left: integer.description('The number of accounts that have not been read yet.'),
        }),
      )
      .description(
        'Set while the service reads again what happened with the payment processor, as after a restored backup. Until then no money is taken or returned, and requests that need it fail with 503 `service_unavailable`.',
      ),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

/** What the connected organisation has. */
export const accountingChart = s.shape({
  organisation: s.anyText.description('The name of the organisation.'),
  sales_accounts: array(
    s.shape({
      code: s.anyText.description('The code of the account.'),
      name: s.anyText.description('The name of the account.'),
      is_revenue: boolean.description('Whether it is a revenue account.'),
    }),
  ).description('The values for `sales_account`.'),
  payment_accounts: array(
    s.shape({
      code: s.anyText.description('The code of the account.'),
      name: s.anyText.description('The name of the account.'),
    }),
  ).description('The values for `payment_account`.'),
  tax_types: array(
    s.shape({
      tax_type: s.anyText.description('The code of the tax type.'),
      name: s.anyText.description('The name of the tax type.'),
      rate_bps: integer.description('The tax rate in basis points: 2000 is 20%.'),
    }),
  ).description('The values for `accounting_tax_type`.'),
  currencies: array(s.currencyCode).description('The ISO 4217 codes of the currencies of the organisation.'),
  read_at: s.instant.description('The time at which these values were read from the organisation.'),
});

/** A page to open in a browser. */
export const link = s.shape({ url: string.description('The URL to open in a browser.') });
