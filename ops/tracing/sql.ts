import { context, trace, SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => void;

const LONGEST_TEXT = 2_000;

/** The statement's text, with `$1` for its parameters: their values are personal data. */
function describeStatement(statement: unknown): { text: string; name?: string } {
  if (typeof statement === 'string') return { text: statement };
  const { text = '', name } = (statement ?? {}) as { text?: string; name?: string };
  return { text, name };
}

function startSpan(tracer: Tracer, statement: unknown): Span {
  const { text, name } = describeStatement(statement);
  const [verb = 'SQL'] = text.trim().split(/\s/, 1);
  return tracer.startSpan(name ?? verb.toUpperCase(), {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, LONGEST_TEXT) },
  });
}

function endSpan(span: Span, error?: unknown): void {
  if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: (error as { code?: string }).code });
  span.end();
}

/** Makes a span of each statement that belongs to a trace. Polling outside of traces makes none. */
export function traceStatements(pool: Pool, tracer: Tracer): void {
  const traced = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (traced.has(client)) return;
    traced.add(client);
    const query = client.query.bind(client) as unknown as Query;
    const tracedQuery: Query = (...args) => {
      if (!trace.getSpan(context.active())) return query(...args);
      const span = startSpan(tracer, args[0]);
      const last = args.at(-1);
      if (typeof last === 'function') {
        const onEnd: Callback = (error, ...rest) => {
          endSpan(span, error);
          (last as Callback)(error, ...rest);
        };
        return query(...args.slice(0, -1), onEnd);
      }
      const result = query(...args);
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      result.then(
        () => endSpan(span),
        (error) => endSpan(span, error),
      );
      return result;
    };
    (client as unknown as { query: Query }).query = tracedQuery;
  });
}
