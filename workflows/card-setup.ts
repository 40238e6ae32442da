import { ActivityFailure } from '@temporalio/common';
import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL, OUTSIDE_CALL_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import { toRefusalCode } from './checkout-refusal.js';
import { cardSetupReported, openCardSetupUpdate, type CardSetupInput } from '../contract/payments/cards.js';
import type { CreateOutcome } from '../contract/payments/checkouts.js';
import { proxyTransactions } from './in-task.js';

const { requestCardSetup } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);
const { finishCardSetup } = proxyActivities<Activities>(OUTSIDE_CALL);
const { abandonCardSetup } = proxyTransactions();

/**
 * The hosted page on which a payer puts a card on file (docs/rules/billing.md#cards-on-file). Opens it, and
 * waits until the payer is done or the page expires. The card itself never passes through the run.
 */
export async function cardSetup({ setupId }: CardSetupInput): Promise<string> {
  const attention = new Attention();
  let outcome: CreateOutcome | undefined;
  let reported = false;
  setHandler(openCardSetupUpdate, async () => {
    await condition(() => outcome !== undefined);
    return outcome!;
  });
  setHandler(cardSetupReported, () => {
    reported = true;
  });

  attention.showStatus('Opening the page where the payer saves a card.');
  let expiresAt: number;
  try {
    expiresAt = Date.parse(await requestCardSetup(setupId));
    outcome = { kind: 'published' };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await attention.retryUntilDone('storing the end of the request', () => abandonCardSetup(setupId));
    outcome = { kind: 'refused', code: toRefusalCode(error) };
    await condition(allHandlersFinished);
    return outcome.kind;
  }
  for (;;) {
    attention.showStatus(`Waiting for the payer to save a card until ${new Date(expiresAt).toISOString()}.`);
    await condition(() => reported, Math.max(1, expiresAt - Date.now()), { summary: 'page expires' });
    reported = false;
    const close = Date.now() >= expiresAt;
    const state = await attention.retryUntilDone('looking at the page', () =>
      finishCardSetup({ setupId, close }),
    );
    if (state === 'open') continue;
    attention.showStatus(state === 'saved' ? 'Done: the card is on file.' : 'Done: no card was saved.');
    await condition(allHandlersFinished);
    if (!reported || state === 'saved') return state;
  }
}
