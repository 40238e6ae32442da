import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

export interface MetricsServer {
  port: number;
  close(): void;
}

/**
 * Serves `GET /metrics` for Prometheus and `GET /health/live` for probes, on a separate address that must not
 * be public. `refresh` is awaited before each response.
 */
export async function serveMetrics(
  registry: Registry,
  at: { host: string; port: number },
  refresh: () => Promise<void> = async () => undefined,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    if (request.url === '/health/live') return send(200, 'application/json', '{"status":"ok"}');
    if (request.url !== '/metrics') return send(404, 'text/plain', 'Not found.\n');
    void refresh()
      .then(() => registry.metrics())
      .then(
        (text) => send(200, registry.contentType, text),
        () => send(500, 'text/plain', 'The metrics could not be collected.\n'),
      );
  });
  await listen(server, at);
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
