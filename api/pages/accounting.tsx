import type { ConsentOutcome } from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext } from '../http/context.js';
import { takeConsent } from '../workspace/accounting.js';
import { showPage } from './layout.js';

const PAGES: Record<
  ConsentOutcome | 'unknown',
  { status: number; title: string; mark: 'good' | 'bad'; words: string }
> = {
  connected: {
    status: 200,
    title: 'Your books are connected',
    mark: 'good',
    words: 'Open invoices go there within the hour, paid ones at once. You can close this page.',
  },
  declined: {
    status: 400,
    title: 'Your books are not connected',
    mark: 'bad',
    words: 'The accounting system did not give its consent, or the link was used before. Ask for a new one.',
  },
  taken: {
    status: 409,
    title: 'These books cannot be connected',
    mark: 'bad',
    words: 'They serve another workspace, or this workspace has its books in another organisation.',
  },
  unavailable: {
    status: 502,
    title: 'The accounting system did not answer',
    mark: 'bad',
    words: 'Nothing has changed. Ask for a new link in a while.',
  },
  unknown: {
    status: 404,
    title: 'We do not know this link',
    mark: 'bad',
    words: 'It is not one of ours, or it is over. Ask for a new one.',
  },
};

/** What an operator sees who comes back from the accounting system's consent page. */
export async function showConsent(ctx: ApiContext, deps: ApiDependencies): Promise<void> {
  const outcome = await takeConsent(deps, ctx.querystring).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'consent could not be taken');
    return 'unavailable' as const;
  });
  const { status, title, mark, words } = PAGES[outcome ?? 'unknown'];
  showPage(ctx, status, { title, mark, children: <p>{words}</p> });
}
