import type Stripe from 'stripe';
import { isId } from '../../db/ids.js';
import { findCardSetup } from '../../db/queries/billing/card.js';
import { reportCardSetup } from '../resources/card-setups/report.js';
import type { ApiDependencies } from '../dependencies.js';

/** Has the run of a card setup look at its page. */
export async function reportSavedCard(
  deps: ApiDependencies,
  event: Stripe.Event,
  setupId: string | undefined,
): Promise<string> {
  const setup = setupId && isId('cset', setupId) ? await findCardSetup(deps.db.manager, setupId) : null;
  if (!setup || (event.account && event.account !== setup.account_id)) return 'ignored: unknown card setup';
  if (setup.state === 'saved') return 'ignored: already saved';
  await reportCardSetup(deps, setup);
  return `reported to ${setup.id}`;
}
