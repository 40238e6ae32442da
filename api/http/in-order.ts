import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The most requests that a connection sends before it has read a response. No browser and no
 * proxy of today sends two.
 */
const MAX_UNANSWERED = 100;

/**
 * Handles the requests of a connection one after another, also if a client pipelines them: Node.js starts all
 * at once, and keeps the responses until it is their turn. A connection that does not read is closed
 * (docs/rules/api.md#rate-limits).
 */
export function handleInOrder(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const start = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // A response that is streamed has a dozen of listeners.
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
