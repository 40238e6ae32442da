import { findCardSetup, type PayerId } from '../../../db/queries/payments/card.js';
import { requestCardSetup } from '../../../commands/payments/cards.js';
import { pageNotOpened } from '../../../domain/processor/refusals.js';
import { openCardSetupUpdate } from '../../../contract/payments/cards.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { serviceUnavailable } from '../../http/errors.js';
import { updateAndWait } from '../../http/runs.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * Opens the hosted page on which a payer puts a card on file, or returns the one that is open
 * (docs/rules/billing.md#cards-on-file). Errors: 412 `processor_unconfigured`; 502 `processor_error`; 503.
 */
export async function openCardSetup(
  deps: Deps,
  workspaceId: string,
  payer: PayerId,
): Promise<{ url: string; expires_at: string }> {
  const id = await requestCardSetup(deps.db, workspaceId, payer);
  const start = starts(deps.taskQueue).cardSetup(id, workspaceId);
  const outcome = await updateAndWait(
    deps.temporal,
    openCardSetupUpdate,
    WORKFLOWS.cardSetup,
    start,
    'create',
  );
  const setup = await findCardSetup(deps.db.manager, id);
  if (outcome.kind === 'published' && setup?.url)
    return { url: setup.url, expires_at: setup.session_expires_at.toISOString() };
  if (outcome.kind === 'refused' && outcome.code !== 'service_unavailable') throw pageNotOpened(outcome.code);
  throw serviceUnavailable('The page closed while it was being opened.');
}
