import { isId } from '../../db/ids.js';
import { takeLook } from '../../commands/access/buckets.js';
import { findCardSetup } from '../../db/queries/billing/card.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { reportCardSetup } from '../../commands/processor-events/cards.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Handler } from '../../api/http/context.js';
import { linkLimiter } from './link-limits.js';
import { showPage } from '../ui/layout.js';

const REFRESH_SECONDS = 3;

/** `GET /checkout/card`: where a payer returns to from the page on which they can save a card. */
export function showCardSetup(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  const count = linkLimiter(deps);
  return async (ctx) => {
    const id = String(ctx.query.setup_id ?? '');
    const setup = isId('cset', id) ? await findCardSetup(manager, id) : null;
    await count(ctx, setup && setup.id);
    if (!setup)
      return showPage(ctx, 404, {
        title: 'Unknown link',
        mark: 'bad',
        children: <p>Request a new link to save a card.</p>,
      });
    const { name } = (await findWorkspace(manager, setup.workspace_id))!;
    if (setup.state === 'saved')
      return showPage(ctx, 200, {
        title: 'Your card is saved',
        mark: 'good',
        children: <p>{name} can charge it for your invoices. You can close this page.</p>,
      });
    if (setup.state === 'closed')
      return showPage(ctx, 200, {
        title: 'This page has expired',
        mark: 'bad',
        children: <p>No card was saved. Request a new link from {name}.</p>,
      });
    if (await takeLook(manager, setup.id, deps.buckets))
      await reportCardSetup(deps, setup).catch((error) =>
        deps.log.warn({ err: error, setup: id }, 'card page could not report'),
      );
    showPage(ctx, 200, {
      title: 'Waiting for your card details',
      mark: 'waiting',
      refresh: REFRESH_SECONDS,
      children: (
        <>
          <p>This page updates automatically. If you have not saved your card yet, continue here.</p>
          {setup.url && (
            <a class="button" href={setup.url}>
              Continue
            </a>
          )}
        </>
      ),
    });
  };
}
