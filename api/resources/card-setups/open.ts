import { findCardSetup, findOpenCardSetup, type PayerId } from '../../../db/queries/billing/card.js';
import { insertCardSetup } from '../../../commands/billing/cards.js';
import { lockCompany } from '../../../commands/members/companies.js';
import { lockMember } from '../../../commands/members/members.js';
import { findPaymentAccount } from '../../../db/queries/workspaces/recovery.js';
import { transaction } from '../../../db/transaction.js';
import { sessionExpiry } from '../../../domain/checkout-session.js';
import { refuse } from '../../../domain/errors.js';
import { pageNotOpened, whyNotTakePaymentsNow } from '../../../domain/processor-refusals.js';
import { openCardSetupUpdate } from '../../../contract/cards.js';
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
  const { id, workspace_id } = await transaction(deps.db, async (tx) => {
    if (payer.company_id) await lockCompany(tx, workspaceId, payer.company_id);
    else await lockMember(tx, workspaceId, payer.member_id!);
    const account = await findPaymentAccount(tx, workspaceId);
    refuse(whyNotTakePaymentsNow(account));
    const account_id = account.processor_account_id!;
    const known = await findOpenCardSetup(tx, payer, account_id);
    if (known) return known;
    const session_expires_at = sessionExpiry(Date.now());
    const id = await insertCardSetup(tx, {
      ...payer,
      workspace_id: workspaceId,
      account_id,
      session_expires_at,
    });
    return { id, workspace_id: workspaceId };
  });
  const start = starts(deps.taskQueue).cardSetup(id, workspace_id);
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
