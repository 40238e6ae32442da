/**
 * Writes `[start, end)` in the syntax of a Postgres `tstzrange`. Times are `Date` or milliseconds since the
 * epoch.
 */
export const timeRange = (start: Date | number, end: Date | number): string =>
  `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;
