/** `[start, end)` as Postgres reads a `tstzrange`. Times as `Date` or UTC milliseconds. */
export const timeRange = (start: Date | number, end: Date | number): string =>
  `[${new Date(start).toISOString()},${new Date(end).toISOString()})`;
