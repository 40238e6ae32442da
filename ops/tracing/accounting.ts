import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';

/**
 * Ids in a path: Xero's UUIDs, and our contact numbers. A guest's number is derived from their email address.
 */
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+_[0-9a-z]{20,}/gi;

/**
 * Makes a span of each call to the accounting system, without its query, body and ids, which identify people.
 */
export const traceAccounting =
  (tracer: Tracer) =>
  ({ method, url }: { method: string; url: string }) => {
    const path = new URL(url).pathname.replace(IDS, '{id}');
    const verb = method.toUpperCase();
    const span = tracer.startSpan(`${verb} ${path}`, {
      kind: SpanKind.CLIENT,
      attributes: { 'http.request.method': verb, 'url.template': path },
    });
    return ({ status, correlationId }: { status?: number; correlationId?: string | null }): void => {
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (correlationId) span.setAttribute('accounting.correlation_id', correlationId);
      if (status === undefined || status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  };

/** Makes a trace of each invoice that a worker sends without an activity. */
export const tracedAttempts =
  (tracer: Tracer) =>
  <T>(invoiceId: string, work: () => Promise<T>): Promise<T> =>
    tracer.startActiveSpan(
      'FirstAccountingAttempt',
      { root: true, attributes: { 'invoice.id': invoiceId } },
      async (span) => {
        try {
          return await work();
        } finally {
          span.end();
        }
      },
    );

/** `fetch` with a span of each request. */
export const tracedFetch =
  (observe: ReturnType<typeof traceAccounting>): typeof fetch =>
  async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const end = observe({ method: init?.method ?? 'GET', url });
    try {
      const response = await fetch(input, init);
      end({ status: response.status, correlationId: response.headers.get('xero-correlation-id') });
      return response;
    } catch (error) {
      end({});
      throw error;
    }
  };
