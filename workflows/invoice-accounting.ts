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
import { invoiceChanged, type InvoiceAccountingInput, type InvoiceAccountingOutcome } from './contract.js';

const { planBooks } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { takeBooksStep } = proxyActivities<Activities>(ACCOUNTING_CALL);

const WORDS = {
  create: 'Putting it into the books.',
  approve: 'Approving it in the books.',
  pay: 'Putting its payment into the books.',
  void: 'Voiding it in the books.',
  rename: 'Correcting its reference in the books.',
  credit: 'Putting a credit note into the books.',
  give_back: 'Putting a refund into the books.',
} as const;

/**
 * All writes to the accounting system about one invoice, one after the other (decisions.md, "Accounting"): whatever
 * the ledger says of it, the books are brought there, step by step. So a void and a sync cannot cross. Steps are
 * tried until the books answer; what they refuse is on the invoice, and tried again by the hourly job.
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
    for (let step = await planBooks(invoiceId); step; step = await planBooks(invoiceId)) {
      attention.waitFor(WORDS[step.do]);
      const taken = await takeBooksStep({ invoiceId, step });
      if (taken === 'done') continue;
      outcome = taken;
      break;
    }
    await condition(allHandlersFinished);
  }
  return outcome;
}
