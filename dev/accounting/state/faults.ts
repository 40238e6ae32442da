import type { Failure } from '../../simulator/failures.js';

/** What goes wrong on purpose, and how narrow the rate limits are. */
export interface Faults {
  latency_ms: number;
  fail: Failure[];
  /** Calls an organisation may be asked in a minute, and in a day. */
  minute_limit: number;
  day_limit: number;
  /** How long a minute is, for tests that cannot wait for one. */
  minute_seconds: number;
}
