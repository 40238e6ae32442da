import { createServer } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { listen } from '../simulator/listen.js';
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
import type { Via } from './state/records.js';
import { Store } from './state/store.js';
import { Timers } from './timers.js';
import { Webhooks } from './webhooks.js';

export interface ProcessorOptions {
  /** 0 for any free port. */
  port: number;
  /** The folder for the state. */
  folder: string;
  /** Sent with each webhook, as a proxy in front of the receiver would add them. */
  webhookHeaders?: Record<string, string>;
  secretKey: string;
  /** The receiver of webhooks, if it is not registered through the API. */
  webhookUrl: string | null;
  /** The secrets of registrations. Without one, each registration gets a random secret. */
  webhookSecrets: Partial<Record<Via, string>>;
}

export interface Processor {
  port: number;
  close(): Promise<void>;
}

/** Starts the simulator on one port of the loopback interface: Stripe's API, the hosted pages and the controls. */
export async function startProcessor(options: ProcessorOptions): Promise<Processor> {
  const store = await new Store().load(options.folder);
  const timers = new Timers();
  // Longer than clients keep an idle connection, so that none is closed while a request is being sent.
  const server = createServer({ keepAliveTimeout: 60_000 });
  const port = await listen(server, options.port);
  const { webhookUrl, webhookSecrets } = options;
  if (webhookUrl)
    registerAtStart(store, webhookUrl, { platform: newSecret(), connect: newSecret(), ...webhookSecrets });
  const webhooks = new Webhooks(store, timers, options.webhookHeaders);
  const baseUrl = `http://127.0.0.1:${port}`;
  const sim: Simulator = { store, timers, webhooks, webhookSecrets, secretKey: options.secretKey, baseUrl };
  for (const session of store.sessions.values())
    if (session.object.status === 'open') expireInTime(sim, session);
  for (const refund of store.refunds.values()) failInTime(sim, refund);
  server.on('request', createApp(sim).callback());
  return {
    port,
    async close() {
      timers.close();
      webhooks.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}

function createApp(sim: Simulator): Koa {
  const app = new Koa();
  const router = new Router();
  const keys = new IdempotencyKeys(sim.store);
  for (const endpoint of endpoints) {
    router[endpoint.method](endpoint.path, (ctx) => respondToCall(sim, keys, endpoint, ctx));
  }
  addControls(router, sim);
  addPages(router, sim);
  app.use(router.routes());
  app.use((ctx) => {
    const message = `Unrecognized request URL (${ctx.method}: ${ctx.path}).`;
    const { status, body } = failed(new StripeError(404, 'invalid_request_error', message), newId('req', 14));
    ctx.status = status;
    ctx.body = body;
  });
  return app;
}
