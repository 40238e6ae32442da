import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type Stripe from 'stripe';

/** Ids in a path; `payment_intents` is not one. */
const IDS = /\/[a-z]+_\w*[A-Z0-9]\w*/g;

/** A path without its query, which may contain an address. */
const withoutQuery = (path: string): string => path.split('?', 1)[0]!;

/** Makes a span of each call to the processor. */
export function traceProcessor(stripe: Stripe, tracer: Tracer): void {
  stripe.on('response', (response: Stripe.ResponseEvent) => {
    const { method, path, status, request_id, request_start_time, request_end_time } = response;
    const span = tracer.startSpan(`${method} ${withoutQuery(path).replace(IDS, '/{id}')}`, {
      kind: SpanKind.CLIENT,
      startTime: request_start_time,
      attributes: {
        'url.path': withoutQuery(path),
        'http.response.status_code': status,
        'processor.request_id': request_id,
      },
    });
    if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(request_end_time);
  });
}
