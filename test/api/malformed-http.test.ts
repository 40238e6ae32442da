import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import test from 'ava';
import { createDrain } from '../../api/drain.js';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';

/** Short times, for requests that never end: on a slow machine other requests would exceed them too. */
const SHORT = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };

/** A server like the service's. Its requests read their body, and respond with their path. */
async function serve(
  handle: RequestListener = (request, response) =>
    request
      .on('error', () => undefined)
      .once('end', () => response.end(request.url))
      .resume(),
  times: Partial<typeof SHORT> = {},
) {
  const server = createDrain().createServer(times, handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Sends bytes, and returns everything that arrives until the connection is closed. */
    async send(bytes: string): Promise<string> {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      const parts: Buffer[] = [];
      socket.on('data', (part) => parts.push(part)).on('error', () => undefined);
      await once(socket, 'close');
      return Buffer.concat(parts).toString();
    },
  };
}

/** The last of the received responses. */
function lastResponse(received: string): { status: number; headers: Headers; body: string } {
  const response = received.slice(received.lastIndexOf('HTTP/1.1 '));
  const [head, body] = response.split('\r\n\r\n') as [string, string];
  const [line, ...headers] = head.split('\r\n');
  return {
    status: Number(line!.split(' ')[1]),
    headers: new Headers(headers.map((header) => header.split(': ') as [string, string])),
    body,
  };
}

const post = (...headers: string[]): string =>
  ['POST / HTTP/1.1', 'Host: holdfast.test', ...headers, '', ''].join('\r\n');
const chunked = post('Transfer-Encoding: chunked');

const MALFORMED: [what: string, bytes: string, code: ErrorCode][] = [
  ['no HTTP at all', 'hello\r\n\r\n', 'malformed_request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'malformed_request'],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 'malformed_request'],
  ['a header without a name', post(': none'), 'malformed_request'],
  ['two lengths', post('Content-Length: 1', 'Content-Length: 2'), 'malformed_request'],
  ['a length and chunks', post('Content-Length: 1', 'Transfer-Encoding: chunked'), 'malformed_request'],
  ['a chunk without its size', `${chunked}zz\r\n`, 'malformed_request'],
  ['large headers', post(`x-large: ${'a'.repeat(20_000)}`), 'headers_too_large'],
  ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 'headers_too_large'],
  ['large extensions of a chunk', `${chunked}1;${'a'.repeat(20_000)}`, 'payload_too_large'],
  ['headers that do not end', 'GET / HTTP/1.1\r\nHost: holdfast.test\r\n', 'request_timeout'],
  ['a body that does not end', `${post('Content-Length: 9')}a`, 'request_timeout'],
];

for (const [what, bytes, code] of MALFORMED) {
  test(`malformed HTTP has the error body and a request id: ${what}`, async (t) => {
    const { send } = await serve(undefined, code === 'request_timeout' ? SHORT : {});
    const { status, headers, body } = lastResponse(await send(bytes));
    t.is(status, ERROR_STATUS[code]);
    t.is(headers.get('content-type'), 'application/json; charset=utf-8');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('connection'), 'close');
    t.is(Number(headers.get('content-length')), Buffer.byteLength(body));
    const { error } = JSON.parse(body);
    t.is(error.code, code);
    t.truthy(error.message);
    t.regex(error.request_id, /^[0-9a-f-]{36}$/);
    t.is(error.request_id, headers.get('x-request-id'));
  });
}

test('data after a response is refused by itself, and never in the middle of a response', async (t) => {
  const { send } = await serve();
  const received = await send(`${post('Content-Length: 0')}nonsense\r\n\r\n`);
  t.deepEqual(
    received.match(/HTTP\/1\.1 \d+/g)!.filter((line) => line.endsWith('400')),
    ['HTTP/1.1 400'],
  );

  const streaming = await serve((_, response) => {
    response.write('begun');
  });
  t.notRegex(await streaming.send(`${chunked}zz\r\n`), /malformed_request/);
});

test('an unknown Expect is ignored', async (t) => {
  const { send } = await serve();
  const { status, body } = lastResponse(
    await send(post('Expect: cake', 'Content-Length: 0', 'Connection: close')),
  );
  t.deepEqual([status, body], [200, '/']);
});
