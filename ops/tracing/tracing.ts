import { randomBytes, randomUUID } from 'node:crypto';
import type { Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';

export interface TracingOptions {
  /** The process, as `service.name`. */
  service: string;
  /** The collector's OTLP endpoint over HTTP, without `/v1/traces`. */
  endpoint: string;
  /** Share of the traces that are kept, 0 to 1. The first process of a trace decides. */
  ratio: number;
}

/**
 * Starts to send traces (docs/guides/monitor.md#traces). It loads many packages, so entry points import it
 * only if an endpoint is set. Must be called once and before the first request: the context that spans have
 * in common is one per process.
 */
export function startTracing({ service, endpoint, ratio }: TracingOptions) {
  const resource = new Resource({ 'service.name': service });
  const processor = new BatchSpanProcessor(
    new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    { scheduledDelayMillis: 1_000 },
  );
  const provider = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
    // A trace has the id of its request, which is a UUID.
    idGenerator: {
      generateTraceId: () => randomUUID().replaceAll('-', ''),
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
  });
  provider.register({ contextManager: new AsyncLocalStorageContextManager() });
  const tracer: Tracer = provider.getTracer('holdfast');
  const activity: ActivityInterceptorsFactory = (context) => ({
    inbound: new OpenTelemetryActivityInboundInterceptor(context, { tracer }),
  });
  return {
    tracer,
    /** For Temporal's client and worker. The bundle needs the workflow's own (worker/bundle.ts). */
    client: [new OpenTelemetryWorkflowClientInterceptor({ tracer })],
    activity,
    sinks: { exporter: makeWorkflowExporter(processor, resource) } as unknown as InjectedSinks<never>,
    /** Sends the remaining spans. */
    stop: (): Promise<void> => provider.shutdown().catch(() => undefined),
  };
}
