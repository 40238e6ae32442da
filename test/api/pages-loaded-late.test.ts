import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { createApp } from '../../api/app.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { newRouter } from '../../api/http/router.js';
import { createEncryption } from '../../db/encryption.js';
import { createAuthenticateAndLimit } from '../../commands/access/authenticate-and-limit.js';
import { createHttpMetrics } from '../../ops/metrics/http.js';
import { createRegistry } from '../../ops/metrics/registry.js';
import { poolOf } from '../../db/pool.js';
import { db, dev } from '../support/stack.js';

test('pages are loaded once, with the first request that no route of the API answers', async (t) => {
  const deps = {
    db,
    encryption: createEncryption(Buffer.alloc(32).toString('base64')),
    publicUrl: dev.baseUrl,
    allowHttp: true,
    trustedProxies: 0,
    log: pino({ level: 'silent' }),
    metrics: createHttpMetrics(createRegistry(poolOf(db))),
    temporal: { withDeadline: (_: number, work: () => unknown) => work() },
    isDraining: () => false,
    authenticateAndLimit: createAuthenticateAndLimit(poolOf(db), 1),
  } as Partial<ApiDependencies> as ApiDependencies;
  let loads = 0;
  const page = newRouter().get('/page', (ctx) => {
    ctx.body = 'a page';
  });
  const app = createApp(deps, async () => {
    loads++;
    return { PAGES: [() => page], unknownPages: (_, next) => next() };
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const ask = async (path: string, method = 'GET') => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const response = await fetch(url, { method });
    return [response.status, response.status === 200 ? await response.text() : response.headers.get('allow')];
  };

  t.deepEqual(await ask('/health/live'), [200, '{"status":"ok"}']);
  t.is(loads, 0);
  t.deepEqual(await Promise.all([ask('/page'), ask('/page')]), [
    [200, 'a page'],
    [200, 'a page'],
  ]);
  t.deepEqual(await ask('/page', 'DELETE'), [405, 'HEAD, GET']);
  t.is(loads, 1);
});
