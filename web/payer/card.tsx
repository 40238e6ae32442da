import { setTimeout as sleep } from 'node:timers/promises';
import type { CardSetup } from '../../db/entities/collections.js';
import type { Tx } from '../../db/transaction.js';
import { isId } from '../../db/ids.js';
import { takeLook } from '../../commands/api-keys/buckets.js';
import { findCardSetup } from '../../db/queries/payments/card.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { reportCardSetup } from '../../commands/processor/events/cards.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Handler } from '../../api/http/context.js';
import { linkLimiter } from './link-limits.js';
import { showAs, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';

const REFRESH_SECONDS = 3;
/** Long enough to show the result to someone who has just saved a card. */
const LOOKS = 16;
const LOOK_PAUSE_MS = 250;

const isDecided = ({ state }: CardSetup): boolean => state === 'saved' || state === 'closed';

/** A card setup, after its workflow has read the processor's page or after a short wait. */
async function untilDecided(tx: Tx, setup: CardSetup): Promise<CardSetup> {
  for (let look = 0; look < LOOKS; look++) {
    await sleep(LOOK_PAUSE_MS);
    const now = await findCardSetup(tx, setup.id);
    if (now && isDecided(now)) return now;
  }
  return setup;
}

/** `GET /checkout/card`: the page to which payers return after saving a card. */
export function showCardSetup(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  const count = linkLimiter(deps);
  return async (ctx) => {
    const id = String(ctx.query.setup_id ?? '');
    let setup = isId('cset', id) ? await findCardSetup(manager, id) : null;
    await count(ctx, setup && setup.id);
    if (!setup)
      return showPage(ctx, 404, {
        title: wordsIn(ctx).say('payer.link_unknown'),
        mark: 'bad',
        children: <p>{wordsIn(ctx).say('payer.card_link_unknown')}</p>,
      });
    const workspace = (await findWorkspace(manager, setup.workspace_id))!;
    const { name } = workspace;
    const words = showAs(ctx, workspace);
    if (!isDecided(setup) && (await takeLook(manager, setup.id, deps.buckets))) {
      await reportCardSetup(deps, setup).catch((error) =>
        deps.log.warn({ err: error, setup: id }, 'card page could not report'),
      );
      setup = await untilDecided(manager, setup);
    }
    if (setup.state === 'saved')
      return showPage(ctx, 200, {
        title: words.say('payer.card_saved'),
        mark: 'good',
        children: (
          <>
            <p>{words.say('payer.card_saved_help', { name })}</p>
            {setup.member_id && (
              <p>
                <a href={`/dashboard/${workspace.id}/membership`}>{words.say('payer.membership')}</a>
              </p>
            )}
          </>
        ),
      });
    if (setup.state === 'closed')
      return showPage(ctx, 200, {
        title: words.say('payer.page_expired'),
        mark: 'bad',
        children: <p>{words.say('payer.card_not_saved', { name })}</p>,
      });
    showPage(ctx, 200, {
      title: words.say('payer.card_waiting'),
      mark: 'waiting',
      refresh: REFRESH_SECONDS,
      children: (
        <>
          <p>{words.say('payer.card_waiting_help')}</p>
          {setup.url && (
            <a class="button" href={setup.url}>
              {words.say('payer.continue')}
            </a>
          )}
        </>
      ),
    });
  };
}
