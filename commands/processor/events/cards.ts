import type Stripe from 'stripe';
import { isId } from '../../../db/ids.js';
import { cardSetupReported } from '../../../contract/payments/cards.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { CardSetup } from '../../../db/entities/collections.js';
import { findCardSetup } from '../../../db/queries/payments/card.js';
import type { EventDependencies } from './event.js';

/** Has the run of a card setup check its page. */
export async function reportSavedCard(
  deps: EventDependencies,
  event: Stripe.Event,
  setupId: string | undefined,
): Promise<string> {
  const setup = setupId && isId('cset', setupId) ? await findCardSetup(deps.db.manager, setupId) : null;
  if (!setup || (event.account && event.account !== setup.account_id)) return 'ignored: unknown card setup';
  if (setup.state === 'saved') return 'ignored: already saved';
  await reportCardSetup(deps, setup);
  return `reported to ${setup.id}`;
}

/** Has the run of a card setup check the page. A lost run is started again. */
export async function reportCardSetup(
  { temporal, taskQueue }: Pick<EventDependencies, 'temporal' | 'taskQueue'>,
  { id, workspace_id }: CardSetup,
): Promise<void> {
  await temporal.workflow.signalWithStart(WORKFLOWS.cardSetup, {
    ...starts(taskQueue).cardSetup(id, workspace_id),
    signal: cardSetupReported,
  });
}
