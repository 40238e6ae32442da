import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const NO_SUCH_KEY =
  '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>No such key.</Message></Error>';

/** What precedes the signature in a signed request (Signature Version 4). */
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/;

/**
 * A server with the object operations of S3's REST API: PutObject, GetObject and DeleteObject with path-style
 * addresses. Requests not signed by `accessKeyId` are refused. `fails`: how many of the next requests are
 * answered with 503.
 */
export async function startObjectStore(accessKeyId: string) {
  const objects = new Map<string, { content: Buffer; type: string }>();
  const store = { objects, fails: 0, requests: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    store.requests++;
    const { pathname } = new URL(request.url!, 'http://store');
    const signed = SIGNED.exec(request.headers.authorization ?? '');
    if (signed?.[1] !== accessKeyId) return response.writeHead(403).end();
    if (store.fails > 0) {
      store.fails--;
      return response.writeHead(503).end();
    }
    const found = objects.get(pathname);
    if (request.method === 'PUT') {
      objects.set(pathname, { content: Buffer.concat(chunks), type: request.headers['content-type']! });
      return response.writeHead(200, { etag: '"1"' }).end();
    }
    if (request.method === 'DELETE') {
      objects.delete(pathname);
      return response.writeHead(204).end();
    }
    if (!found) return response.writeHead(404, { 'content-type': 'application/xml' }).end(NO_SUCH_KEY);
    response
      .writeHead(200, { 'content-type': found.type, 'content-length': found.content.length })
      .end(found.content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    endpoint: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  });
}
