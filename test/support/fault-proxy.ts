import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../dev/simulator/listen.js';

/**
 * A fault between the service and a simulator:
 * - `status`: the response has this status and body, and nothing was done.
 * - `saved_500`: a 500 that is saved under the idempotency key and replayed for every later request
 *   with it, as Stripe does.
 * - `cut`: the connection is closed instead of a response.
 * - `silent`: no response for 30 s, then the connection is closed.
 * - `other_platform`: the request is forwarded with the key of another platform.
 */
export interface ProxyFault {
  fault: 'status' | 'saved_500' | 'cut' | 'silent' | 'other_platform';
  method?: string;
  /** A path, or a prefix that ends in `*`. */
  path: string;
  status?: number;
  body?: unknown;
  /** Forwards the request first, so that only the response is lost. */
  after_effect?: boolean;
  /** Number of requests; unlimited if absent. */
  times?: number;
  /** Ends after this time. */
  seconds?: number;
}

/** A request that met a fault. */
export interface Intercepted {
  method: string;
  path: string;
  idempotency_key: string | null;
  fault: ProxyFault['fault'];
}

export interface FaultProxy {
  url: string;
  close(): Promise<void>;
}

type Active = ProxyFault & { until: number; left: number };

export const CONTROL = '/_proxy/faults';
const SAVED_500 = { error: { type: 'api_error', message: 'An unknown error occurred' } };

/**
 * Starts a proxy in front of a simulator. Faults apply to the requests of one scope, which have this value in
 * the header `scopeHeader`; those of the scope `*` apply to all. `POST /_proxy/faults {scope, faults}`
 * replaces the faults of a scope; `GET /_proxy/faults?scope=` lists the requests that met one.
 */
export async function startFaultProxy(
  target: string,
  scopeHeader: string,
  silenceMs = 30_000,
): Promise<FaultProxy> {
  const faults = new Map<string, Active[]>();
  const intercepted = new Map<string, Intercepted[]>();
  const saved = new Set<string>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url!, 'http://proxy');
    if (pathname === CONTROL) {
      const scope = searchParams.get('scope');
      return sendJson(response, 200, scope === null ? control(body) : (intercepted.get(scope) ?? []));
    }
    const scope = String(request.headers[scopeHeader] ?? '');
    const key = String(request.headers['idempotency-key'] ?? '');
    if (key && saved.has(`${scope}:${key}`))
      return sendJson(response, 500, SAVED_500, { 'Idempotent-Replayed': 'true' });
    const fault = takeFault(scope, request.method!, pathname);
    if (!fault) return forward(request, body, response);

    const { method } = request;
    const met = { method: method!, path: pathname, idempotency_key: key || null, fault: fault.fault };
    intercepted.set(scope, [...(intercepted.get(scope) ?? []), met]);
    if (fault.fault === 'other_platform') {
      request.headers.authorization = 'Bearer sk_test_elsewhere';
      return forward(request, body, response);
    }
    if (fault.after_effect) await forward(request, body, null);
    if (fault.fault === 'status') return sendJson(response, fault.status ?? 500, fault.body ?? {});
    if (fault.fault === 'saved_500') {
      if (key) saved.add(`${scope}:${key}`);
      return sendJson(response, 500, SAVED_500);
    }
    if (fault.fault === 'silent') await sleep(silenceMs, undefined, { ref: false });
    request.socket.destroy();
  }

  function control(body: Buffer): object {
    const { scope, faults: wanted } = JSON.parse(body.toString()) as { scope: string; faults: ProxyFault[] };
    const active = wanted.map((fault) => ({
      ...fault,
      until: fault.seconds === undefined ? Infinity : Date.now() + fault.seconds * 1000,
      left: fault.times ?? Infinity,
    }));
    faults.set(scope, active);
    return {};
  }

  function takeFault(scope: string, method: string, path: string): Active | undefined {
    const active = [...(faults.get('*') ?? []), ...(faults.get(scope) ?? [])];
    const fault = active.find((each) => applies(each, method, path));
    if (fault) fault.left--;
    return fault;
  }

  /** Forwards a request. Returns its response unless `response` is null. */
  function forward(request: IncomingMessage, body: Buffer, response: ServerResponse | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const { method, headers, url } = request;
      // A connection per request, so that the simulator can't close one while a request is being sent.
      const upstream = sendRequest(new URL(url!, target), { method, headers, agent: false }, (reply) => {
        reply.on('error', reject).on('end', resolve);
        if (!response) return reply.resume();
        response.writeHead(reply.statusCode!, reply.headers);
        return reply.pipe(response);
      });
      upstream.on('error', reject).end(body);
    });
  }
}

function applies({ method, path, until, left }: Active, actualMethod: string, actualPath: string): boolean {
  if (left <= 0 || Date.now() > until || (method && method !== actualMethod)) return false;
  return path.endsWith('*') ? actualPath.startsWith(path.slice(0, -1)) : actualPath === path;
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
