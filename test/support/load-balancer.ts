import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_EVERY_MS = 50;

export interface LoadBalancer {
  baseUrl: string;
  /** The addresses that get requests now. */
  ready(): string[];
  close(): void;
}

/**
 * Spreads requests over API processes as a load balancer does: it keeps connections, asks each process for its health,
 * sends requests to ready ones only and repeats none. A request that a process drops is a 502.
 */
export async function startLoadBalancer(targets: string[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true });
  let ready = [...targets];
  let turn = 0;
  const isReady = (target: string): Promise<boolean> =>
    fetch(`${target}/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const check = setInterval(async () => {
    const healthy = await Promise.all(targets.map(isReady));
    ready = targets.filter((_, i) => healthy[i]);
  }, CHECK_EVERY_MS);

  const server = createServer((incoming, outgoing) => {
    const target = ready[turn++ % ready.length];
    const fail = (reason: string): void => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(reason);
    };
    if (!target) return fail('no process is ready');
    const { method, headers } = incoming;
    const onResponse = (response: IncomingMessage): void => {
      const { connection: _, 'keep-alive': __, ...kept } = response.headers;
      outgoing.writeHead(response.statusCode!, kept);
      response.pipe(outgoing);
    };
    const upstream = request(target + incoming.url, { method, headers, agent }, onResponse);
    upstream.on('error', ({ message }) => fail(message));
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    close() {
      clearInterval(check);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
