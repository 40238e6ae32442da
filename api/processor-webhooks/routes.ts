import type Router from '@koa/router';
import { finishProcessorEvent, receiveProcessorEvent } from '../../commands/billing/processor-events.js';
import type { ApiDependencies } from '../dependencies.js';
import { readBytes } from '../http/body.js';
import { route, type Handler } from '../http/context.js';
import { limitUnknown } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { handleEvent } from './events.js';
import { verifySignature } from './verify-signature.js';

/**
 * The endpoint for the processor's platform and Connect webhooks (docs/architecture.md#payment-confirmation). An event is
 * acknowledged with 200 only when its effects are durable: its row is stored and its signal accepted. After a crash in
 * between, the row is unhandled and the processor's retry completes it.
 */
export function processorWebhookRoutes(deps: ApiDependencies): Router {
  const router = newRouter();

  const receive: Handler = async (ctx) => {
    const bytes = await readBytes(ctx);
    const signature = ctx.get('stripe-signature');
    const { event, via } = await verifySignature(bytes, signature, deps.webhookSecrets);
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
