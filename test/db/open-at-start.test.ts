import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import test from 'ava';
import { openAtStart } from '../../db/open-at-start.js';
import { dev } from '../support/stack.js';

test('a process that starts while the database is silent or refuses connections tries again', async (t) => {
  const { hostname, port } = new URL(dev.databaseUrl);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    if (sockets.length === 1) return;
    if (sockets.length === 2) return void socket.destroy();
    const upstream = connect(Number(port), hostname).on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
    sockets.push(upstream);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(dev.databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const failures: unknown[] = [];
  const options = { url: url.href, poolSize: 1, connectTimeoutMs: 1_000 };
  const db = await openAtStart(options, (error) => failures.push(error), {
    pauseMs: 10,
  });
  t.deepEqual(await db.query('SELECT 1 AS one'), [{ one: 1 }]);
  await db.destroy();
  t.is(failures.length, 2, failures.join(', '));
});

test('an error that does not go away ends a start immediately', async (t) => {
  const url = new URL(dev.databaseUrl);
  url.pathname = '/no_such_database';
  const failures: unknown[] = [];
  await t.throwsAsync(
    openAtStart({ url: url.href, poolSize: 1 }, (error) => failures.push(error)),
    { message: /no_such_database/ },
  );
  t.deepEqual(failures, []);
});

test('a start without a database fails with the latest error', async (t) => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const failures: unknown[] = [];
  const options = { url: `postgres://127.0.0.1:${port}/none`, poolSize: 1 };
  await t.throwsAsync(
    openAtStart(options, (error) => failures.push(error), { pauseMs: 10, withinMs: 1_000 }),
    { message: /ECONNREFUSED/ },
  );
  t.true(failures.length > 0);
});
