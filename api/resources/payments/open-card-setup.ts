import type { IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import type { CardSetup } from '../../../db/entities/collections.js';
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
 * Opens the hosted page on which a payer puts a card on file, or returns the one that is open,
 * and to a repeat with the same key the first one (docs/rules/billing.md#cards-on-file). Errors: 409
 * `idempotency_conflict`; 412 `processor_unconfigured`; 502 `processor_error`; 503.
 */
export async function openCardSetup(
  deps: Deps,
  workspaceId: string,
  payer: PayerId,
  idempotency: IdempotencyKey | null,
): Promise<{ url: string; expires_at: string }> {
  const id = await requestCardSetup(deps.db, workspaceId, payer, idempotency);
  const known = idempotency && (await findCardSetup(deps.db.manager, id));
  // The page of the first request, which may have been used or closed since.
  if (known?.url) return presentPage(known);
  const start = starts(deps.taskQueue).cardSetup(id, workspaceId);
  const outcome = await updateAndWait(
    deps.temporal,
    openCardSetupUpdate,
    WORKFLOWS.cardSetup,
    start,
    'create',
  );
  const setup = await findCardSetup(deps.db.manager, id);
  if (outcome.kind === 'published' && setup?.url) return presentPage(setup);
  if (outcome.kind === 'refused' && outcome.code !== 'service_unavailable') throw pageNotOpened(outcome.code);
  throw serviceUnavailable('The page closed while it was being opened.');
}

const presentPage = ({ url, session_expires_at }: Pick<CardSetup, 'url' | 'session_expires_at'>) => ({
  url: url!,
  expires_at: session_expires_at.toISOString(),
});
