import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any request takes: a reconciliation waits up to 30 s for its run, a create up to 14 s. */
export const FINISH_MS = 31_000;

export interface Drain {
  /** True from the moment the process begins to stop. */
  readonly begun: boolean;
  /** Drains this server too. Must be called before it listens. */
  follow(server: Server): void;
  /**
   * Accepts requests for `acceptMs` more, then refuses new connections and waits up to `finishMs` for the requests in
   * progress. Returns how many of them were cut off.
   */
  stop(times: { acceptMs: number; finishMs: number }): Promise<number>;
}

/**
 * Stops servers without a failed request (docs/operations.md#stopping-and-rolling-out). From the beginning of the drain
 * every response closes its connection, so that none is idle, and none is reused, when its server closes.
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
    follow(server) {
      servers.push(server);
      server.prependListener('request', (_, response) => {
        unfinished.add(response);
        response.once('close', () => unfinished.delete(response));
        if (begun) closeAfter(response);
      });
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
