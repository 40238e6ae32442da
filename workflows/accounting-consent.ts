import { allHandlersFinished, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import {
  consentAnswered,
  openConsent,
  type AccountingConsentInput,
  type ConsentOutcome,
} from '../contract/accounting.js';
import { firstInTask } from './in-task.js';

const beginConsent = firstInTask((activities) => activities.beginConsent, OUTSIDE_CALL_AWAITED);
const finishConsent = firstInTask((activities) => activities.finishConsent, OUTSIDE_CALL_AWAITED);
const { readChart } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);

/**
 * Connects a workspace to an organisation in the accounting system
 * (docs/rules/accounting.md#connection): opens the consent page, waits up to an hour for the operator to
 * return from it, and exchanges the code for access tokens.
 */
export async function accountingConsent(input: AccountingConsentInput): Promise<ConsentOutcome> {
  const attention = new Attention();
  let opened: 'opened' | 'unavailable' | undefined;
  let returned = false;
  let outcome: ConsentOutcome | undefined;
  setHandler(openConsent, async () => {
    await condition(() => opened !== undefined);
    return opened!;
  });
  setHandler(consentAnswered, async () => {
    returned = true;
    await condition(() => outcome !== undefined);
    return outcome!;
  });

  opened = await beginConsent(input).then(
    () => 'opened' as const,
    () => 'unavailable' as const,
  );
  if (opened === 'opened') {
    attention.showStatus('Waiting for the operator to return from the consent page.');
    await condition(() => returned, '1 hour', { summary: 'consent link expires' });
  }
  if (returned) outcome = await finishConsent(input.consentId).catch(() => 'unavailable' as const);
  outcome ??= 'declined';
  // Nobody waits for it, and the hourly sync reads what is missing.
  if (outcome === 'connected') await readChart(input.workspaceId).catch(() => undefined);
  await condition(allHandlersFinished);
  return outcome;
}
