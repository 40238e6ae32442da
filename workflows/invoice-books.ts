import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { BOOKS_CALL, TRANSACTION_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import { booksChanged, type InvoiceBooksInput, type InvoiceBooksOutcome } from './contract.js';

const { planBooks } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { takeBooksStep } = proxyActivities<Activities>(BOOKS_CALL);

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
export async function invoiceBooks({ invoiceId }: InvoiceBooksInput): Promise<InvoiceBooksOutcome> {
  const attention = new Attention();
  let changed = true;
  setHandler(booksChanged, () => {
    changed = true;
  });

  let outcome: InvoiceBooksOutcome = 'settled';
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
