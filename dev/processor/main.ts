import Router from '@koa/router';
import type { Context } from 'koa';
import { serve } from '../simulator/serve.js';
import { endpoints } from './api/index.js';
import { addControls } from './controls/routes.js';
import { respondToCall, failed } from './http/response.js';
import { StripeError } from './http/errors.js';
import { IdempotencyKeys } from './http/idempotency.js';
import { addPages } from './pages/routes.js';
import { expireInTime } from './payments/checkout.js';
import { failInTime } from './payments/refund.js';
import { newSecret, registerAtStart } from './registrations.js';
import type { Simulator } from './simulator.js';
import { newId } from './state/ids.js';
import { Store } from './state/store.js';
import { Timers } from './timers.js';
import { Webhooks } from './webhooks.js';

/**
 * Entry point of the payment processor simulator: Stripe's API, the hosted pages and the controls. The
 * launcher and tests start it. Without a secret in the environment each registration of a webhook receiver
 * gets a random one. With `PROCESSOR_WEBHOOK_URL` a receiver is registered without an API call.
 */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const store = await new Store().load(env['PROCESSOR_DATA']);
  const webhookSecrets: Simulator['webhookSecrets'] = {
    ...(env['STRIPE_PLATFORM_WEBHOOK_SECRET'] && { platform: env['STRIPE_PLATFORM_WEBHOOK_SECRET'] }),
    ...(env['STRIPE_CONNECT_WEBHOOK_SECRET'] && { connect: env['STRIPE_CONNECT_WEBHOOK_SECRET'] }),
  };
  const timers = new Timers();
  await serve(env['PROCESSOR_PORT'], store, (baseUrl) => {
    const webhookUrl = env['PROCESSOR_WEBHOOK_URL'];
    if (webhookUrl)
      registerAtStart(store, webhookUrl, { platform: newSecret(), connect: newSecret(), ...webhookSecrets });
    const headers = JSON.parse(env['PROCESSOR_WEBHOOK_HEADERS'] || '{}') as Record<string, string>;
    const webhooks = new Webhooks(store, timers, headers);
    const secretKey = env['STRIPE_SECRET_KEY'] || 'sk_test_holdfast';
    const sim: Simulator = { store, timers, webhooks, webhookSecrets, secretKey, baseUrl };
    for (const session of store.sessions.values())
      if (session.object.status === 'open') expireInTime(sim, session);
    for (const refund of store.refunds.values()) failInTime(sim, refund);
    return {
      router: createRoutes(sim),
      otherwise: showUnknown,
      close() {
        timers.close();
        webhooks.close();
      },
    };
  });
}

function createRoutes(sim: Simulator): Router {
  const router = new Router();
  const keys = new IdempotencyKeys(sim.store);
  for (const endpoint of endpoints)
    router[endpoint.method](endpoint.path, (ctx) => respondToCall(sim, keys, endpoint, ctx));
  addControls(router, sim);
  addPages(router, sim);
  return router;
}

function showUnknown(ctx: Context): void {
  const message = `Unrecognized request URL (${ctx.method}: ${ctx.path}).`;
  const { status, body } = failed(new StripeError(404, 'invalid_request_error', message), newId('req', 14));
  ctx.status = status;
  ctx.body = body;
}

await main(process.env);
