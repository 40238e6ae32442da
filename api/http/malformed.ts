import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../domain/errors.js';
import { errorBody } from './errors.js';

/** What is wrong with a request, by the code of Node's error. */
const REFUSALS: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: new ApiError(
    'headers_too_large',
    'The headers of the request are too large. Send fewer or shorter headers.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(
    'payload_too_large',
    'The chunk extensions of the request body are too large. Send the body without chunk extensions.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(
    'request_timeout',
    'The request did not arrive completely in time. Send it again.',
  ),
};
const MALFORMED = new ApiError('malformed_request', 'The request is not valid HTTP.');

/**
 * The response to data that is not valid HTTP, with the headers that every response has
 * (docs/rules/api.md#errors).
 */
function malformedResponse(error: ApiError): {
  status: number;
  headers: Record<string, string>;
  body: string;
} {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  return {
    status: error.status,
    headers: {
      'x-request-id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
    body,
  };
}

/**
 * Responds to data that Node.js could not parse as a request, instead of Node's empty response, and closes
 * the connection. `isAnswered`: part of an earlier response has been sent, so another response would be read
 * as its rest.
 */
export function refuseMalformed(cause: NodeJS.ErrnoException, socket: Socket, isAnswered: boolean): void {
  if (!socket.writable || cause.code === 'ECONNRESET') return void socket.destroy();
  if (!isAnswered) {
    const { status, headers, body } = malformedResponse(REFUSALS[cause.code ?? ''] ?? MALFORMED);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroySoon();
}

/** Requires the `Host` header of HTTP/1.1. Node.js would reject its absence without an error body. */
export const withHost =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handle(request, response);
    const { status, headers, body } = malformedResponse(
      new ApiError('malformed_request', 'The Host header is missing.'),
    );
    response.writeHead(status, headers).end(body);
  };
