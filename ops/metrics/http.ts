import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A request as it is counted. */
export interface CountedRequest {
  method: string;
  /** The path's pattern, such as `/v1/bookings/:booking`. */
  route: string;
  status: number;
  seconds: number;
}

export interface HttpMetrics {
  begun(): void;
  ended(request: CountedRequest): void;
}

/** Bounds in seconds: a create waits up to 14 s for its workflow. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Traffic, errors and latency of each route, and the requests in progress. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const total = new Counter({
    name: 'holdfast_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const inProgress = new Gauge({
    name: 'holdfast_http_requests_in_progress',
    help: 'Requests without a response.',
    registers,
  });
  return {
    begun: () => inProgress.inc(),
    ended({ method, route, status, seconds }) {
      inProgress.dec();
      total.inc({ method, route, status });
      duration.observe({ method, route }, seconds);
    },
  };
}
