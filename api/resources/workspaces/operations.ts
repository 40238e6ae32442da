import { changeWorkspace as change } from '../../../commands/workspaces/settings.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { DAY_SECONDS } from '../../../domain/durations.js';
import { contrastRatio, MIN_CONTRAST } from '../../../domain/workspaces/colour.js';
import { CSV_DECIMALS, CSV_SEPARATORS } from '../../../domain/csv-format.js';
import { INVOICE_PREFIX } from '../../../domain/invoices/document.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentWorkspace } from '../../../domain/workspaces/presenter.js';
import { PRICES_ENTERED } from '../../../domain/rates/entered-price.js';
import { TIERS } from '../../../domain/rates/price.js';
import type { Maintenance } from '../../../domain/workspaces/settings.js';
import { STAFF_NOTICE_MODES } from '../../../domain/workspaces/staff-notices.js';
import { MAX_PICTURE_BYTES } from '../../../domain/rooms/picture.js';
import { SSO_REQUIREMENTS } from '../../../domain/single-sign-on/providers.js';
import { PROCESSOR_STATUSES } from '../../../domain/states.js';
import { LANGUAGES } from '../../../domain/words/languages.js';
import { MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { currency, email, emptyBody, text, timestamp, timeZone } from '../../http/fields.js';
import { nothing, operation } from '../../http/operation.js';
import { WEB_URL } from '../../http/patterns.js';
import { array, boolean, integer, keyed, nullable, object, oneOf, string } from '../../http/typed.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { imageUrl } from '../shared/image-url.js';
import { name } from '../shared/name.js';
import { PICTURE_BODY, uploadedPicture } from '../shared/picture-upload.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { disconnectAccounting as disconnect, presentedChart, readChart } from './accounting.js';
import { requestConsent } from './connect.js';
import { openOnboarding } from './onboarding.js';

/**
 * The code or id of an account in the accounting system. An account that does not exist there is reported,
 * not rejected.
 */
const account = text(50).trim().min(1);

export const MAX_TAX_CODES = 50;

const taxCode = splitSides({
  code: field(text(50).min(1), 'The code to which rooms and invoice lines refer.'),
  rate_bps: field(integer.min(0).max(10_000), 'The tax rate in basis points: 2000 is 20%.'),
  accounting_tax_type: field(text(50).min(1), 'The tax type in the accounting system.'),
});

const monthlyPrice = field(integer.min(0).max(MAX_AMOUNT_MINOR), 'The monthly price, in minor units.', {
  read: s.minor,
});

/** More than the hours of a month. */
const MAX_MONTHLY_HOURS = 1_000;

const OF_TIER = 'The name and monthly hours of the tier.';
const plan = splitSides({
  name: field(nullable(name.max(60)), 'The display name of the tier. Null for its default name.'),
  monthly_hours: field(
    nullable(integer.min(0).max(MAX_MONTHLY_HOURS)),
    'The hour credits that are granted each month. Null for the default of the tier: 0, 10, 25 or 60.',
  ),
});

const window = splitSides({
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

const accounting = splitSides({
  enabled: field(boolean, 'Whether invoices and payments are synced to the accounting system.'),
  sales_account: field(account, 'The code of the account to which sales are posted.', {
    read: s.nullableText,
  }),
  payment_account: field(account, 'The code of the account to which payments are posted.', {
    read: s.nullableText,
  }),
});

const COLOUR = /^#[0-9A-Fa-f]{6}$/;

/** A colour of buttons and headings, dark enough on white. */
export const accentColor = string
  .pattern(COLOUR, 'a colour such as #1e5f7f')
  .custom((value: string, helpers) =>
    !COLOUR.test(value) || contrastRatio(value, '#ffffff') >= MIN_CONTRAST
      ? value.toLowerCase()
      : helpers.message({
          custom: '{{#label}} must be darker: its contrast with white must be at least 4.5 to 1',
        }),
  );

const mode = field(oneOf(STAFF_NOTICE_MODES), 'When staff receive an email.');

const separator = field(oneOf(CSV_SEPARATORS), 'The separator between the cells of a row.');
const decimal = field(oneOf(CSV_DECIMALS), 'The decimal separator of amounts.');

const url = nullable(
  text(2_000)
    .uri({ scheme: ['http', 'https'] })
    .meta({ json: { pattern: WEB_URL } }),
);

const { sent, read } = splitSides({
  name: field(name, 'The name of the workspace, as shown to payers.'),
  time_zone: field(timeZone, 'The IANA time zone of new rooms and of the dashboard.'),
  currency: field(currency, 'The ISO 4217 code of the currency of tier prices and totals.', {
    sent:
      'The ISO 4217 code of the currency of tier prices and totals. Amounts are not converted: to ' +
      'change the currency, also send all nonzero `tier_prices` and `desk_refund_limit_minor`, and ' +
      'remove payers’ credit limits first.',
    read: s.currencyCode,
  }),
  checkout_hold_seconds: field(
    integer.min(10).max(DAY_SECONDS),
    'How long a slot is held while the payer pays, in seconds.',
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
  plans: field(
    keyed(TIERS, object(plan.sent).meta({ component: 'Plan' }).description(OF_TIER)),
    'The name and monthly hours of each tier.',
    {
      sent: 'The name and monthly hours of each tier. Values that you omit do not change.',
      read: s.shape({
        basic: s.shape('Plan', plan.read).description(OF_TIER),
        plus: s.shape('Plan', plan.read).description(OF_TIER),
        pro: s.shape('Plan', plan.read).description(OF_TIER),
        enterprise: s.shape('Plan', plan.read).description(OF_TIER),
      }),
    },
  ),
  prices_entered: field(
    oneOf(PRICES_ENTERED),
    'How prices are entered in the dashboard: `net` without tax, `gross` with tax. Prices in the API are ' +
      'always without tax.',
  ),
  desk_refund_limit_minor: field(
    integer.min(0).max(MAX_AMOUNT_MINOR),
    'The maximum that the role `front_desk` can refund when it cancels a booking, if the room’s ' +
      '`refund_steps` give less, in minor units of `currency`. Bookings in another currency are ' +
      'refunded according to `refund_steps`.',
    { read: s.minor },
  ),
  refuse_overdue_payers: field(
    boolean,
    'Whether to reject new bookings on account if the payer has an invoice that is still unpaid 7 ' +
      'days after its due date.',
  ),
  require_second_factor: field(
    boolean,
    'Whether every member must set up two-step verification to sign in. Owners and admins always must.',
  ),
  return_url: field(url, 'The URL of the link that payers see after checkout.'),
  booking_url: field(
    url,
    'The URL that pages and emails about cancelled and expired bookings link to, if it is not the ' +
      'URL of the booking page (`GET /v1/booking-page`).',
  ),
  contact_email: field(
    nullable(email),
    'The email address that payers see. Replies to emails are sent to it if it belongs to a member ' +
      'who has accepted their membership.',
  ),
  locale: field(
    oneOf(LANGUAGES),
    'The language of pages, emails and documents for payers who have not chosen another: `en`, `de`, ' +
      '`fr` or `es`.',
  ),
  logo_url: field(
    nullable(imageUrl),
    'The https URL of your logo, shown at the top of payers’ pages and emails, or the URL of an ' +
      'uploaded logo.',
  ),
  accent_color: field(
    nullable(accentColor),
    'The colour of buttons and headings in emails to payers and on their pages, as `#rrggbb`, with a ' +
      'contrast to white of at least 4.5 to 1.',
  ),
  csv: field(
    object({ separator: separator.sent, decimal: decimal.sent }),
    'The format of CSV exports from the dashboard, to suit the spreadsheet programs of your country. ' +
      'It can be changed for a single download.',
    {
      sent: 'The format of CSV exports from the dashboard. Values that you omit do not change.',
      read: s.shape({ separator: separator.read, decimal: decimal.read }),
    },
  ),
  notify_staff: field(
    object({ created: mode.sent, changed: mode.sent, cancelled: mode.sent }),
    'Which emails staff receive about bookings: `each` immediately, `daily` in one email in the ' +
      'morning, or `off`. They are sent to `contact_email` if it belongs to a member who has accepted ' +
      'their membership, otherwise to the owner.',
    {
      sent:
        'Which emails staff receive about bookings: `each` immediately, `daily` in one email in the ' +
        'morning, or `off`. Values that you omit do not change.',
      read: s.shape({ created: mode.read, changed: mode.read, cancelled: mode.read }),
    },
  ),
  legal_name: field(
    nullable(name),
    'The name of the seller on invoices, if it differs from the name of the workspace.',
  ),
  legal_address: field(nullable(text(500).trim()), 'The address of the seller on invoices.'),
  tax_number: field(nullable(text(50).trim()), 'The tax number of the seller on invoices.'),
  tax_name: field(text(20).trim().min(1), 'The name of the tax on invoices, such as `VAT` or `Sales tax`.'),
  payment_instructions: field(
    nullable(text(500).trim()),
    'How to pay an invoice without its link, such as by transfer to a bank account. Shown on ' +
      'invoices that are not paid yet.',
  ),
  invoice_prefix: field(
    text(8).pattern(INVOICE_PREFIX, '1 to 8 capital letters and digits'),
    'The prefix of document numbers. Documents that have been issued keep their number.',
  ),
  invoice_details: field(nullable(text(1_000)), 'Additional text on every invoice.'),
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
          param: s.anyText.description(
            'The setting: its path in the workspace, `rooms.{id}.rates.{id}.accounting_account` or ' +
              '`extras.{id}.accounting_account`.',
          ),
          message: s.anyText.description('What is wrong with the field, for people.'),
        }),
      ).description(
        'The problems with the settings: accounts (including those of rates and extras) and tax ' +
          'types that the organisation does not have, and tax codes whose rate differs from the rate ' +
          'of their tax type.',
      ),
    }),
  }),
});

export const workspaceRead = s.presentedBy(
  presentWorkspace,
  s.shape('Workspace', {
    id: s.prefixedId('ws'),
    ...read,
    processor: s
      .shape({
        account_id: s.nullableText.description('The id of the connected account.'),
        status: oneOf(PROCESSOR_STATUSES).description(
          'The status of the account. Only an `active` account can take payments.',
        ),
        due_by: s.nullableInstant.description(
          'The time at which the payment processor restricts the account unless the required ' +
            'information is submitted.',
        ),
        problem: s.nullableText.description(
          'Why the payment processor has restricted the account, as one of its codes.',
        ),
      })
      .description('The connection to the payment processor.'),
    invoice_problems: array(
      s.shape({
        param: s.anyText.description('The setting.'),
        message: s.anyText.description('What is missing, for people.'),
      }),
    ).description(
      'The settings that are missing: information that UK and EU law requires on an invoice, and how ' +
        'to pay an invoice if it cannot be paid online.',
    ),
    recovering: s
      .orNull(
        s.shape({
          since: s.instant.description('The time since which payments and refunds may be missing.'),
          accounts_left: integer.description('The number of accounts that have not been read yet.'),
        }),
      )
      .description(
        'Set while the service reads the accounts at the payment processor again, such as after a ' +
          'backup was restored. Meanwhile, no money is charged or refunded, and requests that would ' +
          'move money fail with 503 `service_unavailable`.',
      ),
    sso: s
      .orNull(
        s.shape({
          protocol: oneOf(['oidc', 'saml']).description('The protocol of the identity provider.'),
          name: s.anyText.description('The label of the button on the sign-in page.'),
          enabled: boolean.description('Whether people can sign in through the provider.'),
          required: oneOf(SSO_REQUIREMENTS).description(
            'Who must sign in through the provider: `none`, `staff` (every role except `member` and ' +
              '`owner`) or `everyone` (except the owner).',
          ),
        }),
      )
      .description(
        'The single sign-on settings of the workspace. Null until a test has passed. The owner ' +
          'changes them in the dashboard.',
      ),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export const accountingChart = s.shape('AccountingChart', {
  organisation: s.anyText.description('The name of the organisation.'),
  sales_accounts: array(
    s.shape({
      code: s.anyText.description('The code of the account.'),
      name: s.anyText.description('The name of the account.'),
      is_revenue: boolean.description('Whether the account is a revenue account.'),
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

export const link = s.shape('HostedPage', { url: string.description('The URL to open in a browser.') });

const harbour = {
  id: EXAMPLE_WORKSPACE_ID,
  name: 'Harbour House',
  time_zone: 'Europe/London',
  currency: 'GBP',
  checkout_hold_seconds: 1800,
  processor: { account_id: 'acct_1QhZ2kLkdIwHu7ix', status: 'active', due_by: null, problem: null },
  accounting: {
    enabled: true,
    status: 'active',
    organisation: 'Harbour House Ltd',
    sales_account: '200',
    payment_account: '090',
    problems: [],
  },
  tax_codes: [{ code: 'STANDARD', rate_bps: 2000, accounting_tax_type: 'OUTPUT2' }],
  tier_prices: { basic: 0, plus: 4900, pro: 7900, enterprise: 19900 },
  plans: {
    basic: { name: 'Hot desk', monthly_hours: 2 },
    plus: { name: null, monthly_hours: null },
    pro: { name: null, monthly_hours: null },
    enterprise: { name: 'Private office', monthly_hours: null },
  },
  prices_entered: 'net',
  legal_name: 'Harbour House Ltd',
  legal_address: '1 Harbour Street, London E1 4AA',
  tax_number: 'GB 123 4567 89',
  tax_name: 'VAT',
  payment_instructions: 'Sort code 00-00-00, account 12345678',
  invoice_prefix: 'HH',
  invoice_details: null,
  invoice_problems: [],
  return_url: 'https://harbour.example.com/thanks',
  booking_url: 'https://harbour.example.com/rooms',
  contact_email: 'hello@harbour.example.com',
  locale: 'en',
  logo_url: 'https://harbour.example.com/logo.png',
  accent_color: '#0b5d3b',
  csv: { separator: 'comma', decimal: 'point' },
  notify_staff: { created: 'each', changed: 'daily', cancelled: 'each' },
  desk_refund_limit_minor: 0,
  refuse_overdue_payers: false,
  require_second_factor: false,
  sso: { protocol: 'oidc', name: 'Harbour ID', enabled: true, required: 'staff' },
  maintenance: null,
  recovering: null,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
};

const chart = {
  organisation: 'Harbour House Ltd',
  sales_accounts: [{ code: '200', name: 'Sales', is_revenue: true }],
  payment_accounts: [{ code: '090', name: 'Business Bank Account' }],
  tax_types: [{ tax_type: 'OUTPUT2', name: '20% (VAT on Income)', rate_bps: 2000 }],
  currencies: ['GBP', 'EUR'],
  read_at: exampleInstant(0, 12),
};

export const getWorkspace = operation({
  route: 'GET /v1/workspace',
  summary: 'Get the workspace',
  scope: 'workspace:read',
  capability: 'read_workspace',
  responses: { 200: workspaceRead },
  examples: { response: harbour },
  run: (_, { workspace_id }, { db }) => presentedWorkspace(db.manager, workspace_id),
});

export const changeWorkspace = operation({
  route: 'PATCH /v1/workspace',
  summary: 'Update the workspace',
  description:
    'Changes only the fields that are sent. Tiers that are missing from `tier_prices` and `plans` ' +
    'keep their price, name and hours. `accounting` changes the settings of a connected accounting ' +
    'system. Accounts, tax types and a currency that the organisation does not have are accepted and ' +
    'listed in `accounting.problems`, as are tax codes whose rate differs from the rate of their tax ' +
    'type. The owner receives an email if `legal_address`, `payment_instructions` or ' +
    '`invoice_details` changes.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  body: object(sent).min(1).required(),
  idempotent: getWorkspace.run,
  responses: { 200: workspaceRead },
  errors: ['accounting_unconfigured'],
  examples: {
    body: { checkout_hold_seconds: 900, tier_prices: { pro: 9900 } },
    response: {
      ...harbour,
      checkout_hold_seconds: 900,
      tier_prices: { ...harbour.tier_prices, pro: 9900 },
    },
  },
  run: ({ body }, caller, { db }) => change(db, caller, body),
});

export const uploadLogo = operation({
  route: 'PUT /v1/workspace/logo',
  summary: 'Upload the logo',
  description:
    'The request body is the picture: PNG, JPEG or WebP, at most 5 MiB, with its content type. ' +
    '`logo_url` is set to its URL; to remove the logo, set `logo_url` to null. Many email programs ' +
    'do not show WebP.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  upload: { types: PICTURE_BODY.upload, maxBytes: MAX_PICTURE_BYTES },
  responses: { 200: workspaceRead },
  errors: PICTURE_BODY.errors,
  examples: {
    response: { ...harbour, logo_url: `https://api.example.com/pictures/${'0f'.repeat(32)}.png` },
  },
  async run({ file }, caller, deps) {
    const { url, store } = uploadedPicture(deps, caller.workspace_id, file!);
    await store();
    return change(deps.db, caller, { logo_url: url });
  },
});

export const createOnboardingLink = operation({
  route: 'POST /v1/workspace/processor/onboarding',
  summary: 'Create an onboarding link',
  id: 'createOnboardingLink',
  description: 'Returns the URL of the payment processor’s hosted onboarding. Open it in a browser.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: (_, { workspace_id }, deps) => openOnboarding(deps, workspace_id),
  responses: { 200: link },
  errors: ['processor_error'],
  examples: { response: { url: 'https://connect.example.com/setup/a1b2c3' } },
  run: (_, { workspace_id }, deps) => openOnboarding(deps, workspace_id),
});

export const connectAccounting = operation({
  route: 'POST /v1/workspace/accounting/connect',
  summary: 'Connect the accounting system',
  id: 'connectAccounting',
  description:
    'Returns the URL of a page that leads to the accounting system’s consent page, valid for one hour. ' +
    'Open it in a browser that is signed in as an admin of the workspace; the consent can only be ' +
    'completed in the same session.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: true,
  responses: { 200: link },
  errors: ['accounting_unconfigured', 'accounting_error'],
  examples: { response: { url: 'https://api.example.com/accounting/connect?token=a1b2c3' } },
  async run({ idempotency }, { workspace_id }, deps) {
    const { id } = await requestConsent(deps, workspace_id, idempotency);
    return { url: `${deps.publicUrl}/dashboard/${workspace_id}/accounting/${id}` };
  },
});

export const getAccountingChart = operation({
  route: 'GET /v1/workspace/accounting',
  summary: 'Get accounts and tax types',
  id: 'getAccountingChart',
  description:
    'Returns the accounts and tax types of the connected organisation: the values for ' +
    '`sales_account`, `payment_account` and `tax_codes[].accounting_tax_type` of the workspace. They ' +
    'are read when the organisation is connected and then once a day, or every hour while a setting ' +
    'of the workspace refers to something that the organisation does not have.',
  scope: 'workspace:read',
  // Not every member should see the organisation's bank accounts.
  capability: 'write_workspace',
  responses: { 200: accountingChart },
  errors: ['accounting_unconfigured', 'accounting_error'],
  examples: { response: chart },
  run: (_, { workspace_id }, { db }) => presentedChart(db.manager, workspace_id),
});

export const refreshAccountingChart = operation({
  route: 'POST /v1/workspace/accounting/refresh',
  summary: 'Refresh accounts and tax types',
  id: 'refreshAccountingChart',
  description: 'Reads the accounts and tax types of the connected organisation again, and returns them.',
  scope: 'workspace:write',
  capability: 'write_workspace',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: getAccountingChart.run,
  responses: { 200: accountingChart },
  errors: ['accounting_unconfigured', 'accounting_error'],
  examples: { response: chart },
  async run(_, { workspace_id }, deps) {
    await readChart(deps, workspace_id);
    return presentedChart(deps.db.manager, workspace_id);
  },
});

export const disconnectAccounting = operation({
  route: 'DELETE /v1/workspace/accounting',
  summary: 'Disconnect the accounting system',
  id: 'disconnectAccounting',
  description:
    'Revokes the connection in the accounting system. Documents that have been sent remain there. ' +
    'Afterwards, only the same organisation can be connected.',
  scope: 'workspace:delete',
  capability: 'write_workspace',
  idempotent: nothing,
  responses: { 204: null },
  errors: ['accounting_unconfigured', 'accounting_error'],
  run: (_, caller, deps) => disconnect(deps, caller),
});

/** The workspace of the caller (docs/rules/workspace.md). */
export const workspace: Resource = {
  tag: 'Workspace',
  operations: [
    getWorkspace,
    changeWorkspace,
    uploadLogo,
    createOnboardingLink,
    connectAccounting,
    getAccountingChart,
    refreshAccountingChart,
    disconnectAccounting,
  ],
};
