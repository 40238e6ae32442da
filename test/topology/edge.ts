import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Topology } from './topology.js';

/** Only the proxy can be reached from outside, by HTTPS, and it forwards nothing internal. */
export async function checkEdge(
  { dev, apis }: Topology,
  expect: (so: boolean, what: string) => void,
): Promise<void> {
  for (const path of ['/internal/actions', '/health', '/health/live']) {
    const { status } = await fetch(dev.baseUrl + path);
    expect(status === 404, `${path} through the proxy returned ${status}`);
  }
  const document = await fetch(`${dev.baseUrl}/v1/openapi.json`);
  expect(document.status === 200, `the API document returned ${document.status}`);
  const { status } = await fetch(`${apis[0]!.url}/internal/actions`, { method: 'POST' });
  expect(status === 404, `/internal/actions on the public port returned ${status}`);
  const plain = await fetch(`${apis[0]!.url}/v1/rooms`);
  expect(plain.status === 403, `plain HTTP returned ${plain.status}`);
  // The authority of other certificates.
  const ca = readFileSync(join('test', 'deploy', 'certificates', 'ca.pem'));
  const refused = await new Promise<string>((resolve) => {
    request(dev.baseUrl, { ca }, () => resolve('a response'))
      .on('error', ({ message }) => resolve(message))
      .end();
  });
  expect(/certificate/.test(refused), `a client with other authorities got ${refused}`);
}
