import Router from '@koa/router';
import {
  finishProcessorEvent,
  receiveProcessorEvent,
} from '../../db/repositories/billing/processor-events.js';
import type { ApiDependencies } from '../dependencies.js';
import { readBytes } from '../http/body.js';
import { route, type Handler } from '../http/context.js';
import { limitUnknown } from '../http/limits.js';
import { handleEvent } from './events.js';
import { verifySignature } from './verify-signature.js';

/**
 * The one endpoint for both kinds of processor webhooks (spec.md, rule 5, layers 2 and 3). An event is answered
 * 200 only when what follows from it is durable: its row is stored, its signal taken. A crash in between leaves
 * the row unhandled, and the processor's retry does the rest.
 */
export function webhookRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  const receive: Handler = async (ctx) => {
    const bytes = await readBytes(ctx);
    const { event, via } = verifySignature(bytes, ctx.get('stripe-signature'), deps.webhookSecrets);
    const account_id = event.account ?? null;
    const isNew = await receiveProcessorEvent(deps.db.manager, {
      id: event.id,
      type: event.type,
      via,
      account_id,
    });
    if (isNew) {
      const outcome = await handleEvent(deps, event, via);
      await finishProcessorEvent(deps.db.manager, event.id, outcome);
    }
    ctx.status = 200;
    ctx.body = { received: true };
  };

  router.post('/webhooks/processor', ...route(limitUnknown(deps), receive));
  return router;
}
