/** A receiver of webhooks that answers 204 at once, a process of its own. Tells its parent when all that it expects has come. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let expected = 0;
const seen = new Set<string>();

const server = createServer((request, answer) => {
  request.resume();
  request.on('end', () => {
    answer.writeHead(204).end();
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
