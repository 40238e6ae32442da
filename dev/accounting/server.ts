import { createServer } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { listen } from '../simulator/listen.js';
import { endpoints } from './api/index.js';
import { addControls } from './controls/routes.js';
import { respond, respondToCall } from './http/response.js';
import { notFound } from './http/errors.js';
import { Limits } from './limits.js';
import { addOAuth } from './oauth/routes.js';
import { addPages } from './pages/routes.js';
import type { Simulator } from './simulator.js';
import { Store } from './state/store.js';

export interface AccountingOptions {
  /** 0 for any free port. */
  port: number;
  /** The folder for the state. */
  folder: string;
  clientId: string;
  clientSecret: string;
  /** Address of the identity service as its clients see it, where a proxy stands in front of the simulator. */
  issuer?: string;
}

export interface Accounting {
  port: number;
  close(): Promise<void>;
}

/**
 * Starts the simulator on one port of the loopback interface: Xero's identity service and API, the pages and the
 * controls.
 */
export async function startAccounting(options: AccountingOptions): Promise<Accounting> {
  const { folder, clientId, clientSecret } = options;
  const store = await new Store().load(folder);
  // Longer than clients keep an idle connection, so that none is closed while a request is being sent.
  const server = createServer({ keepAliveTimeout: 60_000 });
  const port = await listen(server, options.port);
  const baseUrl = options.issuer ?? `http://127.0.0.1:${port}`;
  const sim: Simulator = { store, limits: new Limits(store), clientId, clientSecret, baseUrl };
  server.on('request', createApp(sim).callback());
  return {
    port,
    async close() {
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
  for (const endpoint of endpoints) {
    router[endpoint.method](endpoint.path, (ctx) =>
      respond(sim, ctx, () => respondToCall(sim, endpoint, ctx)),
    );
  }
  addOAuth(router, sim);
  addControls(router, sim);
  addPages(router, sim);
  app.use(router.routes());
  app.use((ctx) => respond(sim, ctx, () => Promise.reject(notFound())));
  return app;
}
