import { gzipSync } from 'node:zlib';
import test from 'ava';
import { anonymous } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { dev } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { storedIn } from './bad-input-calls.js';

test('a body that is not a JSON object is refused', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const good = JSON.stringify(bookingBody(room.id));
  const post = (body: unknown, headers = {}) => api.post('/v1/bookings', body, headers);
  for (const broken of [
    '{',
    good.slice(0, -1),
    `${good}}`,
    "{'a': 1}",
    'undefined',
    '\u0000',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ])
    isError(t, await post(broken), 400, 'invalid_json', String(broken).slice(0, 30));
  for (const other of ['null', '[]', '"text"', '1', 'true', `[${good}]`])
    isError(t, await post(other), 422, 'validation_failed', other.slice(0, 30));
  isError(t, await post(''), 422, 'validation_failed', 'no body');
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    '',
  ])
    isError(t, await post(good, { 'content-type': type }), 415, 'unsupported_media_type', type);
  t.is(await storedIn(workspace), 0);
  const odd = { 'content-type': 'application/json; charset=utf-8' };
  t.is((await post(good, odd)).status, 201, 'a charset is accepted');
});

test('a body with a Content-Encoding, unknown or false, returns 415 and is not read', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const body = JSON.stringify(bookingBody((await newRoom(api)).id));
  for (const encoding of ['gzip', 'br', 'zstd', 'x-unknown', 'identity, gzip', 'GZIP'])
    for (const sent of [body, gzipSync(body)]) {
      const response = await api.post('/v1/bookings', sent, { 'content-encoding': encoding });
      isError(t, response, 415, 'unsupported_media_type', encoding);
      t.is(response.headers.get('accept-encoding'), 'identity');
    }
  t.is(await storedIn(workspace), 0);
  t.is((await api.post('/v1/bookings', body, { 'content-encoding': 'identity' })).status, 201);
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
  for (const path of ['/oauth/token', '/oauth/revoke', '/webhooks/processor'])
    t.is((await anonymous('POST', path, 'grant_type=refresh_token', form)).status, 415, path);
});

test('a body over 1 MiB returns 413, with and without Content-Length', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const big = (bytes: number) => JSON.stringify(bookingBody(room.id, { notes: 'n'.repeat(bytes) }));
  isError(t, await api.post('/v1/bookings', big(1_100_000)), 413, 'payload_too_large', '1.1 MB');
  isError(t, await api.post('/v1/bookings', big(10_000_000)), 413, 'payload_too_large', '10 MB');
  isError(t, await api.post('/v1/bookings', big(900_000)), 422, 'validation_failed', '0.9 MB');
  const chunks = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(Buffer.alloc(100_000, 'n'));
      controller.close();
    },
  });
  const response = await fetch(`${dev.baseUrl}/v1/bookings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: chunks,
    duplex: 'half',
  } as RequestInit);
  t.is(response.status, 413);
  t.is(await storedIn(workspace), 0);
});

test('a body with very many fields or values costs no more than its size', async (t) => {
  const { api } = await newWorkspace();
  const names = (count: number) => Array.from({ length: count }, (_, n) => `f${n.toString(36)}`);
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: dev.baseUrl };
  const tooMany = /^A form must have at most 1000 fields/;
  // The second would occupy the process for minutes if its fields were compared with each other.
  for (const count of [1_001, 50_000]) {
    const fields = names(count).join('&');
    const page = await anonymous('POST', '/sign-in', fields, form);
    t.is(page.status, 422);
    t.regex(page.body, /A form must have at most 1000 fields/, 'without a session or key');
    const { body } = await api.post('/v1/api-keys/rotate', fields, form);
    t.regex(body.error.message, tooMany);
  }

  const unknown = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
  const few = await api.patch('/v1/workspace', unknown(999));
  t.is(few.body.error.errors!.length, 999);
  const many = await api.patch('/v1/workspace', unknown(10_000));
  isError(t, many, 422, 'validation_failed');
  t.is(many.body.error.errors!.length, 1, 'one error instead of a response larger than the request');
  const endless = await api.patch('/v1/workspace', unknown(12_001));
  t.is(endless.body.error.message, 'The request body must have at most 12000 values.');
});

test('__proto__ and constructor in a body are unknown fields', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const good = JSON.stringify(bookingBody(room.id)).slice(0, -1);
  for (const field of ['__proto__', 'constructor']) {
    const response = await api.post('/v1/bookings', `${good},"${field}":{"attendees":7}}`);
    isError(t, response, 422, 'validation_failed', field);
  }
});
