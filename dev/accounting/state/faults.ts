import type { Failure } from '../../simulator/failures.js';

/** Injected faults, and rate limits. */
export interface Faults {
  latency_ms: number;
  fail: Failure[];
  /** Calls for an organisation a minute, and a day. */
  minute_limit: number;
  day_limit: number;
  /** Length of the minute of `minute_limit`, in seconds: shorter in tests. */
  minute_seconds: number;
  /** Length of the day of `day_limit`, in seconds. */
  day_seconds: number;
}
