/**
 * The fields that logs omit from an error (`err` in our own lines, `error` in those of Temporal's SDK): the
 * values of a failed query, which may be names, addresses and secrets. TypeORM copies the fields of
 * Postgres's error to its own, and its `detail` quotes rows (docs/internals/architecture.md#personal-data).
 */
export const REDACTED_IN_LOGS = ['parameters', 'driverError', 'detail', 'where', 'internalQuery'].flatMap(
  (field) => [`err.${field}`, `error.${field}`],
);
