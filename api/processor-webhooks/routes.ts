import type Router from '@koa/router';
import { findLiveMode } from '../../db/queries/processor/platform.js';
import { takeWebhook } from '../../commands/api-keys/buckets.js';
import { receiveEvent } from '../../commands/processor/events/receive.js';
import type { ApiDependencies } from '../dependencies.js';
import { assertUnencoded, readBytes } from '../http/body.js';
import { serviceUnavailable } from '../http/errors.js';
import { clientAddress } from '../http/client.js';
import { route, type Handler } from '../http/context.js';
import { applyBucket, limitUnknown } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { assertSignatureHeader, verifySignature } from './verify-signature.js';

/**
 * The endpoint for the processor's platform and Connect webhooks
 * (docs/internals/architecture.md#payment-confirmation). An event is acknowledged with 200 only when its
 * effects are durable. After a crash before that, the processor's retry completes it.
 */
export function processorWebhookRoutes(deps: ApiDependencies): Router {
  const router = newRouter();

  /** Runs before the body is read, to limit the cost of a flood of requests. */
  const admit: Handler = async (ctx, next) => {
    applyBucket(ctx, await takeWebhook(deps.db.manager, clientAddress(ctx), deps.buckets));
    assertUnencoded(ctx);
    assertSignatureHeader(ctx.get('stripe-signature'));
    await next();
  };

  const receive: Handler = async (ctx) => {
    const bytes = await readBytes(ctx);
    const signature = ctx.get('stripe-signature');
    const { event, via } = verifySignature(bytes, signature, deps.webhookSecrets);
    const liveMode = await findLiveMode(deps.db.manager);
    // The processor retries the event.
    if (liveMode === undefined) throw serviceUnavailable('The service has not started completely.');
    // An event of the other mode belongs to a service with a key of that mode, which still has to handle it.
    if (event.livemode === liveMode) await receiveEvent(deps, event, via);
    ctx.status = 200;
    ctx.body = { received: true };
  };

  router.post('/webhooks/processor', ...route(limitUnknown(deps), admit, receive));
  return router;
}
