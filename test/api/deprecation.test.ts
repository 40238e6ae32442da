import Koa from 'koa';
import test from 'ava';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { deprecated } from '../../api/http/deprecation.js';
import { errorResponses } from '../../api/http/errors.js';
import type { AnyOperation } from '../../api/http/operation.js';
import { mintToken } from '../../api/http/tokens.js';
import { operationRoutes } from '../../api/http/operation-routes.js';
import { array, object, string, withDefault } from '../../api/http/typed.js';
import { describeApi, publicRoutes } from '../../api/openapi/document.js';
import { responseContent, type Response } from '../../api/openapi/open-api.js';
import { EVENTS } from '../../api/resources/index.js';
import * as s from '../../api/resources/shared/shapes.js';
import type { ApiDependencies } from '../../api/dependencies.js';

const LATER = { since: '2027-03-01', sunset: '2028-06-01' };
const EARLIER = { since: '2027-01-01', sunset: '2028-01-01' };
const LATER_HEADERS = ['@1803859200', 'Thu, 01 Jun 2028 00:00:00 GMT'];
const EARLIER_HEADERS = ['@1798761600', 'Sat, 01 Jan 2028 00:00:00 GMT'];
const NONE = [null, null];

const answer = s.shape({ name: s.anyText.description('A name.') });
const called = (declared: Partial<AnyOperation>): AnyOperation =>
  ({
    route: 'POST /v1/things',
    summary: 'Create a thing',
    anyKey: true,
    responses: { 200: answer },
    run: async () => ({ name: 'Ada' }),
    ...declared,
  }) as AnyOperation;

const principal = { workspace_id: 'ws_1', role: 'owner' };
const deps = {
  authenticateAndLimit: async ({ token }: { token: Buffer | null }) => ({
    principal: token && principal,
    ip_allowed: true,
    maintenance: null,
    allowed: true,
    size: 1,
    remaining: 1,
    full_after_ms: 0,
    retry_after_ms: 0,
  }),
} as unknown as ApiDependencies;
const KEY = mintToken().token;

/** The deprecation headers of an operation's response to a body. */
async function readHeaders(
  declared: AnyOperation,
  body: object = {},
  { query = '', key = KEY }: { query?: string; key?: string } = {},
): Promise<{ status: number; headers: (string | null)[] }> {
  const koa = new Koa();
  koa.use(errorResponses({ error: () => undefined } as never));
  koa.use(operationRoutes([declared], deps).routes());
  const server = koa.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/v1/things${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status, headers: [headers.get('deprecation'), headers.get('sunset')] };
  } finally {
    server.close();
  }
}

test('every response of a deprecated operation says so, including errors', async (t) => {
  const declared = called({ deprecated: EARLIER });
  t.deepEqual(await readHeaders(declared), { status: 200, headers: EARLIER_HEADERS });
  t.deepEqual(await readHeaders(declared, {}, { key: 'none' }), { status: 401, headers: EARLIER_HEADERS });
  t.deepEqual(await readHeaders(called({})), { status: 200, headers: NONE });
});

test('a request is told about a deprecated field only if it sent the field, and about the one removed first', async (t) => {
  const declared = called({
    body: object({
      title: string,
      old: deprecated(withDefault(string, 'none'), LATER),
      lines: array(object({ tax: deprecated(string, EARLIER), net: string })),
    }).required() as never,
    query: object({ sort: deprecated(string, LATER), limit: string }) as never,
  });
  const sent = async (body: object, query = '') => (await readHeaders(declared, body, { query })).headers;
  t.deepEqual(await sent({ title: 'a', lines: [{ net: '1' }] }, '?limit=1'), NONE);
  t.deepEqual(await sent({ old: 'a' }), LATER_HEADERS);
  t.deepEqual(await sent({}, '?sort=name'), LATER_HEADERS);
  t.deepEqual(await sent({ old: 'a', lines: [{ net: '1' }, { tax: '1' }] }), EARLIER_HEADERS);
});

test('a response with a deprecated field says so', async (t) => {
  const responses = { 200: s.shape({ name: s.anyText, old: deprecated(s.anyText, LATER) }) };
  const run = async () => ({ name: 'Ada', old: '' });
  t.deepEqual((await readHeaders(called({ responses, run }))).headers, LATER_HEADERS);
  t.deepEqual((await readHeaders(called({ responses }))).headers, NONE);
});

test('anything deprecated stays for at least 12 months', (t) => {
  const soon = { since: '2027-01-01', sunset: '2027-12-31' };
  t.throws(() => deprecated(string, soon), { message: /at least 12 months/ });
  t.throws(() => operationRoutes([called({ deprecated: soon })], deps), { message: /at least 12 months/ });
  t.notThrows(() => deprecated(string, { since: '2027-01-01', sunset: '2028-01-01' }));
});

test('the document says what is deprecated and when it is removed', (t) => {
  const declared = called({
    deprecated: EARLIER,
    body: object({ old: deprecated(string.description('A text.'), LATER) }).required() as never,
    query: object({ sort: deprecated(string.description('An order.'), LATER) }) as never,
    responses: { 200: s.shape({ old: deprecated(s.anyText.description('A text.'), LATER) }) },
  });
  const described = describeApi(
    { resources: [{ tag: 'Rooms', operations: [declared] }], events: EVENTS },
    publicRoutes(operationRoutes([declared], deps)),
    'https://api.example.com',
  );
  const { post } = described.paths['/v1/things']!;
  t.like(post, {
    deprecated: true,
    'x-sunset': '2028-01-01',
    description: 'Deprecated since 2027-01-01. It may be removed from 2028-01-01.',
  });
  const old = {
    deprecated: true,
    'x-sunset': '2028-06-01',
    description: 'A text. Deprecated since 2027-03-01. It may be removed from 2028-06-01.',
  };
  t.like(post!.requestBody!.content['application/json']!.schema.properties!.old, old);
  t.like(post!.parameters![0], { name: 'sort', deprecated: true });
  const { 200: ok, 401: refused } = post!.responses;
  t.like(responseContent(ok)!['application/json']!.schema.properties!.old, old);
  for (const response of [ok, refused])
    t.like((response as Response).headers, {
      Deprecation: { $ref: '#/components/headers/Deprecation' },
      Sunset: { $ref: '#/components/headers/Sunset' },
    });
});
