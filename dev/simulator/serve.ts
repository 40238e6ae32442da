import { createServer } from 'node:http';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { listen } from './listen.js';
import type { Store } from './store.js';

/**
 * Serves a simulator at a port of the loopback interface, 0 or none for any free port, until the process gets
 * a signal or its parent ends. `build` returns the routes for the address, and the handler for all other
 * requests.
 */
export async function serve(
  port: string | undefined,
  store: Store,
  build: (url: string) => { router: Router; otherwise?: Middleware; close?(): void },
): Promise<void> {
  // Longer than clients keep an idle connection, so that none is closed while a request is being sent.
  const server = createServer({ keepAliveTimeout: 60_000 });
  const listening = await listen(server, Number(port ?? 0));
  const { router, otherwise, close } = build(`http://127.0.0.1:${listening}`);
  const app = new Koa().use(router.routes());
  if (otherwise) app.use(otherwise);
  server.on('request', app.callback());
  const stop = (): void => {
    close?.();
    server.close(() => {
      store.close();
      process.exit(0);
    });
    server.closeAllConnections();
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event as 'SIGTERM', stop);
  process.send?.({ ready: true, port: listening });
}
