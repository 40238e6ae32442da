import { proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { accountReported, type ProcessorAccountInput } from '../contract/processor.js';
import { proxyTransactions } from './in-task.js';

const { lookUpAccount } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordAccount } = proxyTransactions();

/**
 * Reads the status of a connected account from the processor whenever something about it was reported, and
 * stores it. Events arrive in any order, and their content may be outdated
 * (docs/rules/workspace.md#processor-account).
 */
export async function processorAccount({ accountId }: ProcessorAccountInput): Promise<string> {
  const attention = new Attention();
  let reported = true;
  setHandler(accountReported, () => {
    reported = true;
  });

  attention.showStatus('Reading the status of the account at the processor.');
  let status = '';
  while (reported) {
    reported = false;
    const current = await attention.retryUntilDone('reading the account', () => lookUpAccount(accountId));
    await attention.retryUntilDone('storing the account', () => recordAccount({ accountId, ...current }));
    status = current.status;
  }
  return status;
}
