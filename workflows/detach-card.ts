import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { cardRemoved, type DetachCardInput } from '../contract/payments/cards.js';

const { detachCard: detach } = proxyActivities<Activities>(OUTSIDE_CALL);

/** The end of a charge is signalled. This pause covers a lost signal. */
const CHARGED_PAUSE = '10 minutes';

/**
 * Detaches a removed card at the processor (docs/rules/billing.md#cards-on-file), once no charge to it is in
 * progress. Detaching again changes nothing, so starting a run again is harmless.
 */
export async function detachCard({ setupId }: DetachCardInput): Promise<'detached'> {
  const attention = new Attention();
  let woken = false;
  // The relay notifies the run again when a charge to the card has ended, and if it takes long.
  setHandler(cardRemoved, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    attention.showStatus('Detaching the card at the processor.');
    const result = await attention.retryUntilDone('detaching the card', () => detach(setupId));
    if (result === 'detached') break;
    attention.showStatus('Waiting for a charge to the card to end.');
    await condition(() => woken, CHARGED_PAUSE, { summary: 'charge in progress' });
  }
  attention.showStatus('Done: the card is detached.');
  await condition(allHandlersFinished);
  return 'detached';
}
