import { createServer } from 'node:http';
import test from 'ava';
import { listen } from '../../dev/simulator/listen.js';
import { CONTROL, startFaultProxy, type ProxyFault } from '../support/fault-proxy.js';
import { until } from '../support/until.js';

const SILENCE_MS = 300;

/** A service that counts its requests per scope, with a proxy in front of it. */
async function rig() {
  let requests = 0;
  const service = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200).end(String(++requests)));
  });
  const proxy = await startFaultProxy(`http://127.0.0.1:${await listen(service, 0)}`, 'x-scope', SILENCE_MS);
  return {
    requests: () => requests,
    async setFaults(...faults: ProxyFault[]): Promise<void> {
      await fetch(proxy.url + CONTROL, { method: 'POST', body: JSON.stringify({ scope: 'a', faults }) });
    },
    async send(key = '', scope = 'a'): Promise<string> {
      const headers = { 'x-scope': scope, ...(key && { 'idempotency-key': key }) };
      const response = await fetch(`${proxy.url}/v1/things`, { method: 'POST', headers, body: 'x=1' });
      return `${response.status} ${await response.text()}`;
    },
    async close(): Promise<void> {
      await proxy.close();
      service.close();
    },
  };
}

test('a fault applies to its scope and to the given number of requests', async (t) => {
  const { setFaults, send, requests, close } = await rig();
  t.teardown(close);
  await setFaults({ fault: 'status', path: '/v1/*', status: 401, body: { a: 1 }, times: 1 });
  t.is(await send('', 'b'), '200 1');
  t.is(await send(), '401 {"a":1}');
  t.is(await send(), '200 2');
  await setFaults({ fault: 'status', path: '/v1/other' }, { fault: 'status', path: '*', seconds: 5 });
  t.regex(await send(), /^500/);
  const later = await until(async () => {
    const said = await send();
    return !said.startsWith('500') && said;
  });
  t.is(later, '200 3');
  t.is(requests(), 3);
});

test('a saved 500 is replayed for its key only', async (t) => {
  const { setFaults, send, requests, close } = await rig();
  t.teardown(close);
  await setFaults({ fault: 'saved_500', path: '*', times: 1, after_effect: true });
  t.regex(await send('key'), /^500/);
  t.is(requests(), 1);
  await setFaults();
  t.regex(await send('key'), /^500/);
  t.is(await send('other'), '200 2');
});

test('a response is cut after the effect, or never arrives', async (t) => {
  const { setFaults, send, requests, close } = await rig();
  t.teardown(close);
  await setFaults({ fault: 'cut', path: '*', after_effect: true });
  await t.throwsAsync(send());
  t.is(requests(), 1);
  await setFaults({ fault: 'silent', path: '*' });
  const began = Date.now();
  await t.throwsAsync(send());
  t.true(Date.now() - began >= SILENCE_MS);
  t.is(requests(), 1);
});
