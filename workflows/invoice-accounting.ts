import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { AccountingProgress, Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, FIRST_WRITES, TRANSACTION_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import {
  invoiceChanged,
  type InvoiceAccountingInput,
  type InvoiceAccountingOutcome,
} from '../contract/accounting.js';

const { writeInTask } = proxyLocalActivities<Activities>(FIRST_WRITES);
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
 * Executes all writes to the accounting system for one invoice, one at a time, until it agrees with the
 * ledger (docs/rules/accounting.md#what-is-sent). So a void and a sync cannot overlap. Writes that take about
 * a second are made in the workflow task. The rest, and those that fail, are made by an activity that is
 * retried until the accounting system responds. A refusal is stored on the invoice, and the hourly sync tries
 * again.
 */
export async function invoiceAccounting({
  invoiceId,
}: InvoiceAccountingInput): Promise<InvoiceAccountingOutcome> {
  const attention = new Attention();
  let changed = true;
  setHandler(invoiceChanged, () => {
    changed = true;
  });

  let outcome: AccountingProgress['outcome'] = 'done';
  while (changed) {
    changed = false;
    let progress = await writeInTask(invoiceId).catch(planned);
    for (let step = progress.next; step !== null; step = progress.next) {
      attention.showStatus(STATUS[step.do]);
      if (progress.waitMs > 0) await sleep(progress.waitMs);
      progress = await executeAccountingSteps({ invoiceId, step });
    }
    outcome = progress.outcome;
    await condition(allHandlersFinished);
  }
  return outcome === 'done' ? 'settled' : outcome;

  async function planned(): Promise<AccountingProgress> {
    return { outcome: 'done', next: await planAccountingStep(invoiceId), waitMs: 0 };
  }
}
