import pg from 'pg';

/**
 * Returns the driver's parser for values of a type; `oid` identifies the type. A date stays text, because the
 * driver would convert it to a `Date` in the process's time zone.
 */
export const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format as 'text');
