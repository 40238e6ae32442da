import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { handleInOrder } from './http/in-order.js';
import { refuseMalformed, withHost } from './http/malformed.js';

/** Longer than any request takes: a reconciliation waits up to 30 s for its run, a create up to 14 s. */
export const FINISH_MS = 31_000;

export interface Drain {
  /** True from the moment the process begins to stop. */
  readonly begun: boolean;
  /**
   * Creates a server that is drained with the others. It handles the requests of a connection in order, and
   * responds to malformed requests. After `idleMs` without data in either direction, it closes a connection,
   * such as one whose response nobody reads.
   */
  createServer(options: ServerOptions & { idleMs?: number }, handle: RequestListener): Server;
  /**
   * Accepts requests for `acceptMs` more, then refuses new connections and waits up to `finishMs` for the
   * requests in progress. Returns how many of them were cut off.
   */
  stop(times: { acceptMs: number; finishMs: number }): Promise<number>;
}

/**
 * Stops servers without failing a request (docs/internals/rollouts.md#stopping). From the beginning
 * of the drain, every response closes its connection, so that no connection is idle or reused when its server
 * closes.
 */
export function createDrain(): Drain {
  const servers: Server[] = [];
  const unfinished = new Set<ServerResponse>();
  let begun = false;
  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    get begun() {
      return begun;
    },
    createServer({ idleMs = 0, ...options }, handle) {
      const counted: RequestListener = (request, response) => {
        unfinished.add(response);
        response.once('close', () => unfinished.delete(response));
        if (begun) closeAfter(response);
        handle(request, response);
      };
      const listener = handleInOrder(withHost(counted));
      const server = createServer({ ...options, requireHostHeader: false }, listener).setTimeout(idleMs);
      // An `Expect` header other than 100-continue may be ignored (RFC 9110, 10.1.1).
      server.on('checkExpectation', listener);
      server.on('clientError', (error, socket) => {
        const isAnswered = [...unfinished].some(
          ({ req, headersSent }) => req.socket === socket && headersSent,
        );
        refuseMalformed(error, socket as Socket, isAnswered);
      });
      servers.push(server);
      return server;
    },
    async stop({ acceptMs, finishMs }) {
      begun = true;
      for (const response of unfinished) closeAfter(response);
      await sleep(acceptMs);
      const closed = Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      await Promise.race([closed, sleep(finishMs, undefined, { ref: false })]);
      const cutOff = unfinished.size;
      for (const server of servers) server.closeAllConnections();
      return cutOff;
    },
  };
}
