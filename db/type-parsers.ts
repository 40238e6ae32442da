import pg from 'pg';

/** An instant as Postgres writes it in our time zone, UTC, from the year 1000 to 9999. */
const INSTANT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;
const anyInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

/**
 * Parses an instant. The driver's own parser accepts any year, zone and era, but takes twice as long, and a
 * list has hundreds of instants.
 */
export const parseInstant = (text: string): unknown =>
  INSTANT.test(text) ? new Date(text) : anyInstant(text);

const PARSERS = new Map<number, (text: string) => unknown>([
  // As text, because the driver would convert it to a `Date` in the process's time zone.
  [pg.types.builtins.DATE, String],
  [pg.types.builtins.TIMESTAMPTZ, parseInstant],
]);

/** Returns the driver's parser for values of a type; `oid` identifies the type. */
export const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text');
