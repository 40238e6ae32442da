import { utcDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';

export const EXAMPLE_KEY = '5f0c1d6a-3b1e-4f0e-9a7e-1f4b8c2d7e90';

export const EXAMPLE_WORKSPACE_ID = 'ws_01kba6xz3fe4r9tq5v8mhc2s1n';

/**
 * The day that the times in examples are relative to: the day on which the process started, so that they are
 * in the future.
 */
export const EXAMPLES_DAY = utcDay(Date.now());

/** A full hour in UTC, a number of days after `EXAMPLES_DAY`. */
export function exampleTime(daysAhead: number, hour: number): string {
  const day = utcDay(Date.parse(EXAMPLES_DAY) + daysAhead * DAY_MS);
  return `${day}T${String(hour).padStart(2, '0')}:00:00Z`;
}

/** A list's only page. */
export const examplePage = (...data: unknown[]) => ({ data, next_cursor: null });

/** The same as responses write it, with milliseconds. */
export const exampleInstant = (daysAhead: number, hour: number): string =>
  new Date(exampleTime(daysAhead, hour)).toISOString();
