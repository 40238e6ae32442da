import type { Operations } from '../resource/operation.js';
import { accountingChart, link, workspace } from './responses.js';

export const operations: Operations = {
  'GET /v1/workspace': { summary: 'Get the workspace', responses: { 200: workspace } },
  'PATCH /v1/workspace': {
    summary: 'Change the workspace',
    description:
      'Changes the fields that are sent. Tiers missing from `tier_prices` keep their price. `accounting` changes the settings of a connected accounting system. ' +
      'Accounts, tax types and a currency that its organisation lacks are accepted, and named in `accounting.problems`.',
    responses: { 200: workspace },
    errors: ['accounting_unconfigured'],
    body: { checkout_hold_seconds: 900, tier_prices: { pro: 9900 } },
  },
  'POST /v1/workspace/processor/onboarding': {
    summary: 'Onboard to the payment processor',
    description: 'Returns the URL of the payment processor’s hosted onboarding. Open it in a browser.',
    responses: { 200: link },
    errors: ['processor_error'],
  },
  'POST /v1/workspace/accounting/connect': {
    summary: 'Connect the accounting system',
    description:
      'Returns the URL of the accounting system’s consent page, valid for one hour. Open it in a browser.',
    responses: { 200: link },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'GET /v1/workspace/accounting': {
    summary: 'Get the accounts and tax types of the accounting system',
    id: 'getAccountingChart',
    description:
      'What the connected organisation had when it was last read: the values for `sales_account`, `payment_account` and ' +
      '`tax_codes[].accounting_tax_type` of the workspace. It is read when the organisation is connected, once a day, and ' +
      'hourly while the workspace has a setting that it lacks.',
    responses: { 200: accountingChart },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'POST /v1/workspace/accounting/refresh': {
    summary: 'Read the accounts and tax types of the accounting system again',
    id: 'refreshAccountingChart',
    responses: { 200: accountingChart },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
  'DELETE /v1/workspace/accounting': {
    summary: 'Disconnect the accounting system',
    id: 'disconnectAccounting',
    description:
      'Ends the connection at the accounting system. Its documents stay, and the workspace stays with its organisation: only ' +
      'that one can be connected again.',
    responses: { 204: null },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
};
