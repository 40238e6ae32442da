/** A webhook receiver in its own process. Responds 204, and notifies its parent when all expected events have arrived. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let expected = 0;
const seen = new Set<string>();

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    seen.add(request.headers['webhook-id'] as string);
    if (seen.size === expected) process.send!({ done: true });
  });
});
process.on('message', ({ expect }: { expect: number }) => {
  seen.clear();
  expected = expect;
  process.send!({ ready: true });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () =>
  process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
);
