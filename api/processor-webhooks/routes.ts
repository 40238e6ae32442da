import type Router from '@koa/router';
import { receiveEvent } from '../../commands/processor-events/receive.js';
import type { ApiDependencies } from '../dependencies.js';
import { readBytes } from '../http/body.js';
import { route, type Handler } from '../http/context.js';
import { limitUnknown } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { verifySignature } from './verify-signature.js';

/**
 * The endpoint for the processor's platform and Connect webhooks (docs/architecture.md#payment-confirmation). An event is
 * acknowledged with 200 only when its effects are durable; after a crash in between, the processor's retry completes it.
 */
export function processorWebhookRoutes(deps: ApiDependencies): Router {
  const router = newRouter();

  const receive: Handler = async (ctx) => {
    const bytes = await readBytes(ctx);
    const signature = ctx.get('stripe-signature');
    const { event, via } = await verifySignature(bytes, signature, deps.webhookSecrets);
    // An event of the other mode is not ours: a service with a key of that mode would still have to handle it.
    if (event.livemode === deps.liveMode) await receiveEvent(deps, event, via);
    ctx.status = 200;
    ctx.body = { received: true };
  };

  router.post('/webhooks/processor', ...route(limitUnknown(deps), receive));
  return router;
}
