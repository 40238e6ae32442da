import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import type { HttpMetrics } from '../../ops/metrics/http.js';

/** The pattern of the path that the router has matched. A path itself contains ids and tokens. */
export const routePattern = ({ _matchedRoute: pattern }: { _matchedRoute?: unknown }): string =>
  typeof pattern === 'string' ? pattern : 'none';

/** Counts and times each request. Status 499: the client left before its response was complete. */
export function measured(metrics: HttpMetrics): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    metrics.begun();
    ctx.res.once('close', () => {
      const seconds = (performance.now() - start) / 1_000;
      const status = ctx.res.writableFinished ? ctx.res.statusCode : 499;
      metrics.ended({ method: ctx.method, route: routePattern(ctx as never), status, seconds });
    });
    await next();
  };
}

/** A trace's id as a UUID, which is the form of request ids. */
const asUuid = (traceId: string): string =>
  traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Starts a trace for each request; the request's id is the trace's. The client's trace context is ignored: a
 * client could otherwise force every request to be sampled, or join traces of others.
 */
export function traced(tracer: Tracer): Middleware {
  return (ctx, next) =>
    tracer.startActiveSpan(ctx.method, { kind: SpanKind.SERVER, root: true }, async (span) => {
      ctx.state.requestId = asUuid(span.spanContext().traceId);
      try {
        await next();
      } finally {
        const route = routePattern(ctx as never);
        span.updateName(`${ctx.method} ${route}`);
        span.setAttributes({
          'http.request.method': ctx.method,
          'http.route': route,
          'http.response.status_code': ctx.status,
        });
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    });
}
