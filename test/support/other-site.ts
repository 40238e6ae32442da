import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A website with one page, on another host than the service's `127.0.0.1`. `page` is called for each
 * request.
 */
export async function serveSite(t: { teardown(close: () => unknown): void }, page: () => string) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(page());
  });
  await once(server.listen(0, 'localhost'), 'listening');
  t.teardown(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
