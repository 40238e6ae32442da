import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { newId } from '../../db/ids.js';
import { findConsent, recordConsentCallback } from '../../db/repositories/accounting/consents.js';
import { ApiError } from '../../domain/errors.js';
import {
  consentAnswered,
  openConsent,
  WORKFLOWS,
  workflowIds,
  type ConsentOutcome,
} from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'encryption' | 'accountingUrl'>;

const ANSWER_WITHIN_MS = 14_000;

/**
 * The accounting system's consent page, for the operator to open within the hour. Errors: 412
 * `accounting_unconfigured` where this service has no app there, 502 `accounting_error`.
 */
export async function askForConsent(deps: Deps, workspaceId: string): Promise<string> {
  if (!deps.accountingUrl)
    throw new ApiError('accounting_unconfigured', 'This service has no app at an accounting system.');
  const input = { consentId: newId('cns'), workspaceId };
  const outcome = await deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    deps.temporal.workflow.executeUpdateWithStart(openConsent, {
      updateId: 'open',
      startWorkflowOperation: new WithStartWorkflowOperation(
        WORKFLOWS.accountingConsent,
        starts(deps.taskQueue).accountingConsent(input),
      ),
    }),
  );
  const consent = await findConsent(deps.db.manager, { id: input.consentId });
  if (outcome === 'opened' && consent) return consent.url;
  throw new ApiError('accounting_error', 'The accounting system did not answer.');
}

/**
 * Takes what the operator came back with from the consent page: its query string. Null for a state that we never
 * gave out.
 */
export async function takeConsent(deps: Deps, answer: string): Promise<ConsentOutcome | null> {
  const state = new URLSearchParams(answer).get('state') ?? '';
  const consent = await findConsent(deps.db.manager, {
    state_hash: createHash('sha256').update(state).digest(),
  });
  if (!consent) return null;
  await recordConsentCallback(deps.db.manager, consent.id, deps.encryption.encrypt(answer, consent.id));
  return deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    deps.temporal.workflow
      .getHandle(workflowIds.accountingConsent(consent.id))
      .executeUpdate(consentAnswered, { updateId: 'answered' }),
  );
}

/**
 * Connects a workspace to an organisation of its own, made for it: only the simulator makes organisations.
 * Errors: 422 where the accounting system is a real one, 502 `accounting_error`.
 */
export async function connectNewOrganisation(
  deps: Deps,
  workspace: { id: string; name: string; currency: string },
): Promise<void> {
  const { name, currency } = workspace;
  const authorize_url = await askForConsent(deps, workspace.id);
  const made = await fetch(`${deps.accountingUrl}/_sim/organisations`, {
    method: 'POST',
    body: JSON.stringify({ name, currency, authorize_url }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  if (made.status === 404)
    throw new ApiError(
      'validation_failed',
      'Only the simulator makes organisations; connect yours by hand.',
      {
        param: 'accounting',
      },
    );
  const { redirect_url } = (await made.json()) as { redirect_url?: string };
  const outcome = redirect_url && (await takeConsent(deps, new URL(redirect_url).search.slice(1)));
  if (outcome !== 'connected')
    throw new ApiError(
      'accounting_error',
      `The accounting system did not connect: ${outcome ?? made.status}.`,
    );
}
