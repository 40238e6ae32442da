import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';
import type { Event } from './api-bodies.js';

/** A received request. */
export interface Received {
  at: number;
  path: string;
  headers: Record<string, string>;
  raw: string;
  event: Event;
}

/** Responds to a request: returns the status, or writes to `response` itself. */
export type Reply = (request: Received, response: ServerResponse) => number | void;

/** A local webhook receiver that records requests. `reply` may be replaced while it runs. */
export interface Receiver {
  url: string;
  received: Received[];
  reply: Reply;
  /** Waits for `count` requests. Returns all that were received. */
  untilReceived(count: number): Promise<Received[]>;
  /** Listens again after `close`. */
  open(port: number): Promise<void>;
  close(): void;
}

export const eventIds = (received: Received[]): string[] => received.map(({ event }) => event.id);

/** The ids of an object's events in the order of their first arrival. */
export const firstArrivals = (received: Received[], objectId: string): string[] => [
  ...new Set(eventIds(received.filter(({ event }) => event.data.object.id === objectId))),
];

/** Opens a receiver, with TLS if a certificate for `localhost` is given. */
export async function openReceiver(
  reply: Reply = () => 200,
  tls?: { key: Buffer; cert: Buffer },
): Promise<Receiver> {
  const received: Received[] = [];
  const serve: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    const seen = {
      at: Date.now(),
      path: request.url!,
      headers: request.headers as Record<string, string>,
      raw,
      event: JSON.parse(raw),
    };
    received.push(seen);
    const status = receiver.reply(seen, response);
    if (status !== undefined) response.writeHead(status).end();
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  const open = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await open(0);
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: tls ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`,
    received,
    reply,
    async untilReceived(count) {
      await until(async () => received.length >= count);
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
