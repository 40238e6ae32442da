import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { firstBooking } from '../../dev/launcher/first-booking.js';
import { proxyHeaders } from '../../dev/launcher/proxy.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { inNewHome, launch } from '../support/launcher.js';
import type { ProcessorLedger } from '../support/ledgers.js';
import { until } from '../support/until.js';

test('each trusted proxy adds an entry to the forwarded headers', (t) => {
  t.deepEqual(proxyHeaders({}), {});
  t.deepEqual(proxyHeaders({ TRUSTED_PROXIES: '2' }), {
    'X-Forwarded-For': '127.0.0.1, 127.0.0.1',
    'X-Forwarded-Proto': 'https, https',
  });
});

test('a stack behind a proxy starts, and gets its calls and webhooks through the proxy', async (t) => {
  const settings = { TRUSTED_PROXIES: '1', ALLOW_HTTP: 'false' };
  await inNewHome(async (home) => {
    const launcher = launch(home, settings);
    const state = { ended: false };
    void launcher.ended.then(() => (state.ended = true));
    const file = join(home, 'dev.json');
    await until(() => existsSync(file) || state.ended);
    if (state.ended) return t.fail((await launcher.ended).stderr);
    try {
      const { baseUrl, apiKey, processorUrl } = JSON.parse(readFileSync(file, 'utf8')) as DevJson;
      const call = async (path: string, forwarded: Record<string, string>, body?: unknown) => {
        const response = await fetch(baseUrl + path, {
          method: body ? 'POST' : 'GET',
          headers: { ...forwarded, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: body ? JSON.stringify(body) : undefined,
        });
        return response.json();
      };
      t.is((await call('/v1/rooms', {})).error.code, 'https_required');
      const forwarded = proxyHeaders(settings);
      const [room] = (await call('/v1/rooms', forwarded)).data;
      const body = await firstBooking({ baseUrl, apiKey, proxyHeaders: forwarded }, room.id);
      const booking = await call('/v1/bookings', forwarded, body);
      const [session] = /cs_[A-Za-z0-9_]+/.exec(booking.checkout_url) ?? [];
      await fetch(`${processorUrl}/_sim/checkout/${session}/pay`, { method: 'POST', body: '{}' });
      const statuses = await until(async () => {
        const ledger = (await (await fetch(`${processorUrl}/_sim/ledger`)).json()) as ProcessorLedger;
        // 0: no response within 10 s, as on a busy machine. The simulator sends it again.
        const arrived = ledger.webhooks_sent.map(({ status }) => status).filter((status) => status !== 0);
        return (arrived.length > 0 || state.ended) && arrived;
      });
      t.deepEqual([...new Set(statuses)], [200]);
    } finally {
      launcher.interrupt();
      const { stdout } = await launcher.ended;
      t.regex(stdout, /-H 'X-Forwarded-Proto: https'/);
    }
  });
});
