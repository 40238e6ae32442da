import type { Operations } from '../openapi/operation.js';
import { workspace, page } from './responses.js';

export const workspaceOperations: Operations = {
  'GET /v1/workspace': { summary: 'Get the workspace', answers: { 200: workspace } },
  'PATCH /v1/workspace': {
    summary: 'Change the workspace',
    description:
      'A tier that `tier_prices` does not name keeps its price. `accounting` turns the use of connected books on or off.',
    answers: { 200: workspace },
    errors: ['accounting_unconfigured'],
    body: { checkout_hold_seconds: 900, tier_prices: { pro: 9900 } },
  },
  'POST /v1/workspace/processor/onboarding': {
    summary: 'Onboard to the payment processor',
    description: 'Answers the address of the processor’s hosted onboarding.',
    answers: { 200: page },
    errors: ['processor_error'],
  },
  'POST /v1/workspace/accounting/connect': {
    summary: 'Connect the accounting system',
    description: 'Answers the address of the accounting system’s consent page, for an hour.',
    answers: { 200: page },
    errors: ['accounting_unconfigured', 'accounting_error'],
  },
};
