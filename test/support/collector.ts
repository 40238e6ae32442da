import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
}

export interface Collector {
  endpoint: string;
  spans: CollectedSpan[];
  /** All requests as received. */
  text(): string;
  close(): void;
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

const toAttributes = (list: OtlpAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of OpenTelemetry traces over OTLP/HTTP in JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    text += body;
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans)
        for (const { attributes, ...span } of scope.spans)
          spans.push({
            ...span,
            service: toAttributes(resource.attributes)['service.name'],
            attributes: toAttributes(attributes),
          });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => text,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
