import { entersFreely, membershipIn } from '../sign-in/single-sign-on/membership.js';
import { can } from '../../domain/policies.js';
import type { ConsentOutcome } from '../../contract/accounting.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { completeConsent, findReturnedConsent } from '../../api/resources/workspaces/connect.js';
import { showPage } from '../ui/layout.js';

const PAGES: Record<
  ConsentOutcome | 'unknown' | 'another_session',
  { status: number; title: string; mark: 'good' | 'bad'; explanation: string }
> = {
  connected: {
    status: 200,
    title: 'Your accounting system is connected',
    mark: 'good',
    explanation:
      'Paid invoices are sent immediately, open invoices within the hour. Check the ' +
      'accounts and tax types next.',
  },
  declined: {
    status: 400,
    title: 'Your accounting system is not connected',
    mark: 'bad',
    explanation:
      'The accounting system did not grant access, or the link has already been used. Request a new link.',
  },
  taken: {
    status: 409,
    title: 'This organisation cannot be connected',
    mark: 'bad',
    explanation:
      'It is connected to another workspace, or this workspace already has documents in a ' +
      'different organisation.',
  },
  unavailable: {
    status: 502,
    title: 'The accounting system did not respond',
    mark: 'bad',
    explanation: 'Nothing has changed. Request a new link later.',
  },
  another_session: {
    status: 403,
    title: 'This connection was started in another browser',
    mark: 'bad',
    explanation:
      'Nothing has changed. Only the admin who opened the link can complete it, in the same ' +
      'browser while signed in.',
  },
  unknown: {
    status: 404,
    title: 'Unknown link',
    mark: 'bad',
    explanation: 'This link is invalid or has expired. Request a new one.',
  },
};

/** The result of a consent, and the workspace if the person may know which it is. */
interface Outcome {
  outcome: keyof typeof PAGES;
  workspace_id?: string;
}

/**
 * Completes a consent. Only the session that opened the consent page can do so, while its person is still an
 * admin, so a callback URL taken from another browser has no effect.
 */
async function finishConsent(ctx: ApiContext, deps: ApiDependencies): Promise<Outcome> {
  const { session } = ctx.state;
  const consent = await findReturnedConsent(deps, ctx.querystring);
  if (!consent) return { outcome: 'unknown' };
  if (session?.stage !== 'complete' || !consent.session_hash?.equals(session.id_hash))
    return { outcome: 'another_session' };
  const { workspace_id } = consent;
  const membership = await membershipIn(ctx, deps.db, consent.workspace_id);
  if (!membership || !entersFreely(session, membership) || !can(membership.role, 'write_workspace'))
    return { outcome: 'another_session' };
  return { outcome: await completeConsent(deps, consent, ctx.querystring), workspace_id };
}

/** `GET /accounting/callback`: where the accounting system's consent page returns to. */
export function showConnected(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { outcome, workspace_id } = await finishConsent(ctx, deps).catch((error: unknown): Outcome => {
      deps.log.warn({ err: error }, 'accounting consent could not be completed');
      return { outcome: 'unavailable' };
    });
    const { status, title, mark, explanation } = PAGES[outcome];
    showPage(ctx, status, {
      title,
      mark,
      children: (
        <>
          <p>{explanation}</p>
          {workspace_id && (
            <p>
              <a class="button" href={`/dashboard/${workspace_id}/accounting`}>
                {outcome === 'connected' ? 'Choose accounts and tax types' : 'Back to Accounting'}
              </a>
            </p>
          )}
        </>
      ),
    });
  };
}
