import { Agent, createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const CHECK_EVERY_MS = 50;

export interface LoadBalancerOptions {
  /** Terminates TLS with this certificate, and then sets `X-Forwarded-For` and `X-Forwarded-Proto`. */
  tls?: { key: Buffer; cert: Buffer };
  port?: number;
  checkEveryMs?: number;
  /** Paths that get a 404 and reach no process. */
  isInternal?: (path: string) => boolean;
}

export interface LoadBalancer {
  baseUrl: string;
  /** The addresses that currently get requests. */
  ready(): string[];
  close(): void;
}

/**
 * Distributes requests over API processes like a load balancer: it keeps connections, checks each process's
 * health, sends requests only to ready ones and repeats none. A request that a process drops is a 502.
 */
export async function startLoadBalancer(
  targets: string[],
  { tls, port = 0, checkEveryMs = CHECK_EVERY_MS, isInternal = () => false }: LoadBalancerOptions = {},
): Promise<LoadBalancer> {
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
  }, checkEveryMs);

  const serve: RequestListener = (incoming, outgoing) => {
    if (isInternal(incoming.url!.split('?')[0]!)) {
      outgoing.writeHead(404).end();
      return;
    }
    const target = ready[turn++ % ready.length];
    const fail = (reason: string): void => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(reason);
    };
    if (!target) return fail('no process is ready');
    const { method } = incoming;
    const headers = {
      ...incoming.headers,
      ...(tls && { 'x-forwarded-for': incoming.socket.remoteAddress, 'x-forwarded-proto': 'https' }),
    };
    const onResponse = (response: IncomingMessage): void => {
      const { connection: _, 'keep-alive': __, ...kept } = response.headers;
      outgoing.writeHead(response.statusCode!, kept);
      response.pipe(outgoing);
    };
    const upstream = request(target + incoming.url, { method, headers, agent }, onResponse);
    upstream.on('error', ({ message }) => fail(message));
    incoming.pipe(upstream);
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    baseUrl: tls ? `https://localhost:${bound}` : `http://127.0.0.1:${bound}`,
    ready: () => ready,
    close() {
      clearInterval(check);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
