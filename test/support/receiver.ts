import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './stack.js';

/** A received request. */
export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  event: any;
}

/** Responds to a request: returns the status, or writes to `response` itself. */
export type Reply = (request: Received, response: ServerResponse) => number | void;

/** A local webhook receiver that records requests. `reply` may be replaced while it runs. */
export interface Receiver {
  url: string;
  received: Received[];
  reply: Reply;
  /** Waits for `count` requests. Returns all that were received. */
  untilReceived(count: number, withinMs?: number): Promise<Received[]>;
  /** Listens again after `close`. */
  open(port: number): Promise<void>;
  close(): void;
}

export const idsOf = (received: Received[]): string[] => received.map(({ event }) => event.id);

/** The ids of an object's events in the order of their first arrival. */
export const firstArrivals = (received: Received[], objectId: string): string[] => [
  ...new Set(idsOf(received.filter(({ event }) => event.data.object.id === objectId))),
];

export async function openReceiver(reply: Reply = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    const seen = {
      at: Date.now(),
      path: request.url!,
      headers: request.headers,
      raw,
      event: JSON.parse(raw),
    };
    received.push(seen);
    const status = receiver.reply(seen, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  const open = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await open(0);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    reply,
    async untilReceived(count, withinMs = 30_000) {
      await until(async () => received.length >= count, withinMs);
      return received;
    },
    open,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
