import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, TRANSACTION_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import {
  invoiceChanged,
  type InvoiceAccountingInput,
  type InvoiceAccountingOutcome,
} from '../contract/accounting.js';

const { planAccountingStep } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { executeAccountingSteps } = proxyActivities<Activities>(ACCOUNTING_CALL);

const STATUS = {
  create: 'Creating the invoice in the accounting system.',
  approve: 'Approving the invoice in the accounting system.',
  pay: 'Recording its payment in the accounting system.',
  void: 'Voiding the invoice in the accounting system.',
  rename: 'Correcting its reference in the accounting system.',
  credit: 'Creating a credit note in the accounting system.',
  refund: 'Recording a refund in the accounting system.',
} as const;

/**
 * Executes all writes to the accounting system for one invoice, one at a time, until it agrees with the ledger
 * (docs/rules/accounting.md#what-is-sent). So a void and a sync cannot overlap. One activity executes all that can be
 * executed now; a step that fails is retried until the accounting
 * system responds; a refusal is stored on the invoice, and the hourly sync tries again.
 */
export async function invoiceAccounting({
  invoiceId,
}: InvoiceAccountingInput): Promise<InvoiceAccountingOutcome> {
  const attention = new Attention();
  let changed = true;
  setHandler(invoiceChanged, () => {
    changed = true;
  });

  let outcome: InvoiceAccountingOutcome = 'settled';
  while (changed) {
    changed = false;
    outcome = 'settled';
    for (let step = await planAccountingStep(invoiceId); step !== null;) {
      attention.showStatus(STATUS[step.do]);
      const result = await executeAccountingSteps({ invoiceId, step });
      outcome = result.outcome === 'done' ? 'settled' : result.outcome;
      step = result.next;
    }
    await condition(allHandlersFinished);
  }
  return outcome;
}
