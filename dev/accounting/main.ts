import Router from '@koa/router';
import type { Middleware } from 'koa';
import { serve } from '../simulator/serve.js';
import { endpoints } from './api/index.js';
import { addControls } from './controls/routes.js';
import { respond, respondToCall } from './http/response.js';
import { notFound } from './http/errors.js';
import { Limits } from './limits.js';
import { addOAuth } from './oauth/routes.js';
import { addPages } from './pages/routes.js';
import type { Simulator } from './simulator.js';
import { Store } from './state/store.js';

/**
 * Entry point of the accounting simulator: Xero's identity service and API, the pages and the controls. The
 * launcher and tests start it. `ACCOUNTING_ISSUER` is the address at which clients reach the identity service
 * when a proxy stands in front of the simulator.
 */
async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const store = await new Store().load(env['ACCOUNTING_DATA']);
  await serve(env['ACCOUNTING_PORT'], store, (url) => {
    const clientId = env['XERO_CLIENT_ID'] || 'holdfast';
    const clientSecret = env['XERO_CLIENT_SECRET'] || 'holdfast-secret';
    const baseUrl = env['ACCOUNTING_ISSUER'] || url;
    const sim: Simulator = { store, limits: new Limits(store), clientId, clientSecret, baseUrl };
    const otherwise: Middleware = (ctx) => respond(sim, ctx, () => Promise.reject(notFound()));
    return { router: createRoutes(sim), otherwise };
  });
}

function createRoutes(sim: Simulator): Router {
  const router = new Router();
  for (const endpoint of endpoints)
    router[endpoint.method](endpoint.path, (ctx) =>
      respond(sim, ctx, () => respondToCall(sim, endpoint, ctx)),
    );
  addOAuth(router, sim);
  addControls(router, sim);
  addPages(router, sim);
  return router;
}

await main(process.env);
