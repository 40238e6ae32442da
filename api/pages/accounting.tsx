import type { ConsentOutcome } from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { completeConsent } from '../workspace/connect.js';
import { showPage } from './layout.js';

const PAGES: Record<
  ConsentOutcome | 'unknown',
  { status: number; title: string; mark: 'good' | 'bad'; explanation: string }
> = {
  connected: {
    status: 200,
    title: 'Your accounting system is connected',
    mark: 'good',
    explanation:
      'Paid invoices are sent immediately, open invoices within the hour. You can close this page.',
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
      'It is connected to another workspace, or this workspace already has documents in another organisation.',
  },
  unavailable: {
    status: 502,
    title: 'The accounting system did not respond',
    mark: 'bad',
    explanation: 'Nothing has changed. Request a new link later.',
  },
  unknown: {
    status: 404,
    title: 'Unknown link',
    mark: 'bad',
    explanation: 'This link is invalid or has expired. Request a new one.',
  },
};

/** `GET /accounting/callback`: where the accounting system's consent page returns to. */
export function showConnected(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const outcome = await completeConsent(deps, ctx.querystring).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'accounting consent could not be completed');
      return 'unavailable' as const;
    });
    const { status, title, mark, explanation } = PAGES[outcome ?? 'unknown'];
    showPage(ctx, status, { title, mark, children: <p>{explanation}</p> });
  };
}
