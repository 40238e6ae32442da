import type { Operations } from '../resource/operation.js';
import { link, workspace } from './responses.js';

export const operations: Operations = {
  'GET /v1/workspace': { summary: 'Get the workspace', responses: { 200: workspace } },
  'PATCH /v1/workspace': {
    summary: 'Change the workspace',
    description:
      'Changes the fields that are sent. Tiers missing from `tier_prices` keep their price. `accounting` enables or disables the connected accounting system.',
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
      'Returns the URL of a page that leads to the accounting system’s consent page, valid for one hour. Open it in a browser that is signed in as an admin of the workspace; the consent can only be completed in the same session.',
    responses: { 200: link },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
};
