import { EXAMPLE_WORKSPACE_ID, exampleInstant } from '../shared/examples.js';
import { PICTURE_BODY } from '../shared/picture-upload.js';
import type { Operations } from '../shared/operation.js';
import { accountingChart, link, workspace } from './shape.js';

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

export const operations: Operations = {
  'GET /v1/workspace': {
    summary: 'Get the workspace',
    example: () => harbour,
    responses: { 200: workspace },
  },
  'PATCH /v1/workspace': {
    summary: 'Change the workspace',
    description:
      'Changes only the fields that are sent. Tiers that are missing from `tier_prices` and `plans` keep ' +
      'their price, name and hours. `accounting` changes the settings of a connected accounting system. ' +
      'Accounts, tax types and a currency that its organisation does not have are accepted and listed in ' +
      '`accounting.problems`, as are tax codes whose rate differs from that of their tax type. The owner ' +
      'gets an email about another `legal_address`, `payment_instructions` or `invoice_details`.',
    example: () => ({
      ...harbour,
      checkout_hold_seconds: 900,
      tier_prices: { ...harbour.tier_prices, pro: 9900 },
    }),
    responses: { 200: workspace },
    errors: ['accounting_unconfigured'],
    body: { checkout_hold_seconds: 900, tier_prices: { pro: 9900 } },
  },
  'PUT /v1/workspace/logo': {
    summary: 'Upload the logo',
    description:
      'The body is the picture: PNG, JPEG or WebP, at most 5 MiB, with its content type. Its address ' +
      'becomes `logo_url`; to remove it, set that to null. Many email programs do not show WebP.',
    example: () => ({ ...harbour, logo_url: `https://api.example.com/pictures/${'0f'.repeat(32)}.png` }),
    responses: { 200: workspace },
    ...PICTURE_BODY,
  },
  'POST /v1/workspace/processor/onboarding': {
    summary: 'Create an onboarding link',
    description: 'Returns the URL of the payment processor’s hosted onboarding. Open it in a browser.',
    example: () => ({ url: 'https://connect.example.com/setup/a1b2c3' }),
    responses: { 200: link },
    errors: ['processor_error'],
  },
  'POST /v1/workspace/accounting/connect': {
    summary: 'Connect the accounting system',
    id: 'connectAccounting',
    description:
      'Returns the URL of a page that leads to the accounting system’s consent page, valid for one hour. ' +
      'Open it in a browser that is signed in as an admin of the workspace; the consent can only be ' +
      'completed in the same session.',
    example: () => ({ url: 'https://api.example.com/accounting/connect?token=a1b2c3' }),
    responses: { 200: link },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'GET /v1/workspace/accounting': {
    summary: 'Get accounts and tax types',
    id: 'getAccountingChart',
    description:
      'Returns the accounts and tax types of the connected organisation: the values for `sales_account`, ' +
      '`payment_account` and `tax_codes[].accounting_tax_type` of the workspace. They are read when the ' +
      'organisation is connected and once a day, and every hour while a setting of the workspace does not ' +
      'exist in the organisation.',
    example: () => chart,
    responses: { 200: accountingChart },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'POST /v1/workspace/accounting/refresh': {
    summary: 'Refresh accounts and tax types',
    id: 'refreshAccountingChart',
    description: 'Reads the accounts and tax types of the connected organisation again, and returns them.',
    example: () => chart,
    responses: { 200: accountingChart },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'DELETE /v1/workspace/accounting': {
    summary: 'Disconnect the accounting system',
    id: 'disconnectAccounting',
    description:
      'Ends the connection at the accounting system. Documents that were sent stay there. Only the same ' +
      'organisation can be connected again.',
    responses: { 204: null },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
};
