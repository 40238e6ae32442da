import { once } from 'node:events';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createWebhookSender } from '../../../activities/gateways/webhook-sender.js';
import { ATTEMPT_TIMEOUT_MS } from '../../../domain/events/webhook-schedule.js';

// Serial, for its own process: the clock is that of the whole process.
test.serial('an attempt to deliver a webhook ends after 15 seconds without a response', async (t) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => {
    mock.timers.reset();
    server.close();
    server.closeAllConnections();
  });
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: ATTEMPT_TIMEOUT_MS });
  const received = once(server, 'request');
  let ended = false;
  const attempt = sender.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' });
  void attempt.then(() => (ended = true));
  await received;
  mock.timers.tick(14_999);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  t.false(ended);
  mock.timers.tick(1);
  t.like(await attempt, { status_code: null, error: 'timeout' });
});
