import { createHash } from 'node:crypto';
import { newId } from '../../../db/ids.js';
import { bindAlone, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { findConsent, recordConsentCallback, type Consent } from '../../../commands/accounting/consents.js';
import { ApiError } from '../../../domain/errors.js';
import { consentAnswered, openConsent, type ConsentOutcome } from '../../../contract/accounting.js';
import { WORKFLOWS, workflowIds } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { inTime, RESPOND_WITHIN_MS, updateAndWait } from '../../http/runs.js';

type Deps = Pick<
  ApiDependencies,
  'db' | 'temporal' | 'taskQueue' | 'encryption' | 'hasAccounting' | 'accountingSimulatorUrl'
>;

/**
 * Prepares a visit to the accounting system's consent page, which is valid for one hour
 * (docs/rules/accounting.md#connection). Errors: 412 `accounting_unconfigured` if this
 * service has no client there; 502 `accounting_error`. A repeat with the same key gets the same visit.
 */
export async function requestConsent(
  deps: Deps,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
): Promise<Consent> {
  if (!deps.hasAccounting)
    throw new ApiError(
      'accounting_unconfigured',
      'This service is not configured for an accounting system. Contact its operator.',
    );
  const id = newId('cns');
  const before = await bindAlone(deps.db, workspaceId, idempotency, id);
  const known = before && (await findConsent(deps.db.manager, { id: before }));
  if (known) return known;
  const input = { consentId: before ?? id, workspaceId };
  const start = starts(deps.taskQueue).accountingConsent(input);
  const outcome = await updateAndWait(deps.temporal, openConsent, WORKFLOWS.accountingConsent, start, 'open');
  const consent = await findConsent(deps.db.manager, { id: input.consentId });
  if (outcome === 'opened' && consent) return consent;
  throw new ApiError('accounting_error', 'The accounting system did not respond. Try again later.');
}

/**
 * The consent for the query string with which the consent page redirected the operator back; null if its
 * state is unknown.
 */
export function findReturnedConsent({ db }: Pick<Deps, 'db'>, query: string): Promise<Consent | null> {
  const state = new URLSearchParams(query).get('state') ?? '';
  return findConsent(db.manager, { state_hash: createHash('sha256').update(state).digest() });
}

/** Completes a connection with the query string of the redirect from the consent page. */
export async function completeConsent(
  deps: Deps,
  consent: Pick<Consent, 'id'>,
  query: string,
): Promise<ConsentOutcome> {
  await recordConsentCallback(deps.db.manager, consent.id, deps.encryption.encrypt(query, consent.id));
  return inTime(deps.temporal, () =>
    deps.temporal.workflow
      .getHandle(workflowIds.accountingConsent(consent.id))
      .executeUpdate(consentAnswered, { updateId: 'answered' }),
  );
}

/** Errors: 422 unless the accounting system is the simulator: only the simulator can create organisations. */
export function assertSimulatedAccounting({ accountingSimulatorUrl }: Deps): void {
  if (accountingSimulatorUrl) return;
  const message =
    'accounting can create organisations only in the simulator. Connect your organisation manually.';
  throw new ApiError('validation_failed', message, { param: 'accounting' });
}

/** Connects a workspace to a new organisation in the simulator. Errors: 502 `accounting_error`. */
export async function connectNewOrganisation(
  deps: Deps,
  workspace: { id: string; name: string; currency: string },
): Promise<void> {
  const { name, currency } = workspace;
  const consent = await requestConsent(deps, workspace.id, null);
  const created = await fetch(`${deps.accountingSimulatorUrl}/_sim/organisations`, {
    method: 'POST',
    body: JSON.stringify({ name, currency, authorize_url: consent.url }),
    signal: AbortSignal.timeout(RESPOND_WITHIN_MS),
  });
  const { redirect_url } = (await created.json()) as { redirect_url?: string };
  const outcome =
    redirect_url && (await completeConsent(deps, consent, new URL(redirect_url).search.slice(1)));
  if (outcome !== 'connected')
    throw new ApiError(
      'accounting_error',
      `The accounting system could not be connected: ${outcome ?? created.status}.`,
    );
}
