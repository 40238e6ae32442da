import { createHmac, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../../activities/events/signature.js';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const current = newSecret();
const previous = newSecret();
const event = { id: 'evt_01', body: '{"id":"evt_01","note":"Grüße, 你好"}' };
const now = new Date();

test('Service-Signature is the hex HMAC-SHA256 of the body with the full secret, and uses the new secret immediately after a rotation', (t) => {
  const expected = createHmac('sha256', current).update(Buffer.from(event.body)).digest('hex');
  for (const secrets of [
    { current, previous: null },
    { current, previous },
  ])
    t.is(signatureHeaders(event, secrets, now)['Service-Signature'], expected);
});

test('a stock Standard Webhooks verifier accepts both secrets during an overlap, and only the new one afterwards', (t) => {
  const overlapping = signatureHeaders(event, { current, previous }, now);
  const after = signatureHeaders(event, { current, previous: null }, now);
  t.deepEqual(new Webhook(current).verify(event.body, overlapping), JSON.parse(event.body));
  t.notThrows(() => new Webhook(previous).verify(event.body, overlapping));
  t.notThrows(() => new Webhook(current).verify(event.body, after));
  t.throws(() => new Webhook(previous).verify(event.body, after), { message: /No matching signature/ });
});

test('a changed body, another id and an old timestamp are refused', (t) => {
  const receiver = new Webhook(current);
  const headers = signatureHeaders(event, { current, previous: null }, now);
  const old = signatureHeaders(event, { current, previous: null }, new Date(now.getTime() - HOUR_MS));
  t.throws(() => receiver.verify(`${event.body} `, headers));
  t.throws(() => receiver.verify(event.body, { ...headers, 'webhook-id': 'evt_02' }));
  t.throws(() => receiver.verify(event.body, old), { message: /too old/ });
});
