import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import {
  consentAnswered,
  openConsent,
  type AccountingConsentInput,
  type ConsentOutcome,
} from './contract.js';

const { beginConsent, finishConsent } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);

/**
 * Connects a workspace to an organisation's books: opens the accounting system's consent page, waits for an hour for
 * the operator to come back from it, and trades what they bring for tokens.
 */
export async function accountingConsent(input: AccountingConsentInput): Promise<ConsentOutcome> {
  const attention = new Attention();
  let opened: 'opened' | 'unavailable' | undefined;
  let answered = false;
  let outcome: ConsentOutcome | undefined;
  setHandler(openConsent, async () => {
    await condition(() => opened !== undefined);
    return opened!;
  });
  setHandler(consentAnswered, async () => {
    answered = true;
    await condition(() => outcome !== undefined);
    return outcome!;
  });

  opened = await beginConsent(input).then(
    () => 'opened' as const,
    () => 'unavailable' as const,
  );
  if (opened === 'opened') {
    attention.waitFor('Waiting for the operator to come back from the consent page.');
    await condition(() => answered, '1 hour', { summary: 'then the link is over' });
  }
  if (answered) outcome = await finishConsent(input.consentId).catch(() => 'unavailable' as const);
  outcome ??= 'declined';
  await condition(allHandlersFinished);
  return outcome;
}
