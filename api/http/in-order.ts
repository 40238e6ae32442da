import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The maximum number of requests that a connection may send before it has read a response. Current browsers
 * and proxies never send two.
 */
const MAX_UNANSWERED = 100;

/**
 * Handles the requests of a connection one after another, even if a client pipelines them: Node.js would
 * start all of them at once and hold back their responses. A connection that does not read its responses is
 * closed (docs/rules/api.md#rate-limits).
 */
export function handleInOrder(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const start = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // A streamed response has about a dozen listeners.
    response.setMaxListeners(20);
    response.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)!.shift();
      if (next) start(...next);
      else waiting.delete(socket);
    });
    handle(request, response as never);
  };
  return (request, response) => {
    const { socket } = request;
    const others = waiting.get(socket);
    if (!others) {
      waiting.set(socket, []);
      start(request, response);
    } else if (others.push([request, response]) > MAX_UNANSWERED) socket.destroy();
  };
}
