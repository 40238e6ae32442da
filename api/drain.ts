import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any request takes: a reconciliation waits up to 30 s for its run, a create up to 14 s. */
export const FINISH_MS = 31_000;

export interface Drain {
  /** True from the moment the process begins to stop. */
  readonly begun: boolean;
  /** Must be called before the server listens. */
  follow(server: Server): void;
  /**
   * Accepts requests for `acceptMs` more, then refuses new connections and waits up to `finishMs` for the requests in
   * progress. Returns how many of them were cut off.
   */
  stop(server: Server, times: { acceptMs: number; finishMs: number }): Promise<number>;
}

/**
 * Stops a server without a failed request (docs/operations.md#stopping-and-rolling-out). From the beginning of the drain
 * every response closes its connection, so that none is idle, and none is reused, when the server closes.
 */
export function createDrain(): Drain {
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
      server.prependListener('request', (_, response) => {
        unfinished.add(response);
        response.once('close', () => unfinished.delete(response));
        if (begun) closeAfter(response);
      });
    },
    async stop(server, { acceptMs, finishMs }) {
      begun = true;
      for (const response of unfinished) closeAfter(response);
      await sleep(acceptMs);
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.race([closed, sleep(finishMs, undefined, { ref: false })]);
      const cutOff = unfinished.size;
      server.closeAllConnections();
      return cutOff;
    },
  };
}
