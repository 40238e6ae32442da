/** The start of the transaction, for a column of `insert` or `update`. */
export const NOW = (): string => 'now()';

/**
 * The time of the statement, for times that must increase from one transaction to the next one that waited
 * for it.
 */
export const CLOCK = (): string => 'clock_timestamp()';

/** The time this many seconds after the start of the transaction. */
export const fromNow = (seconds: number) => (): string => `now() + make_interval(secs => ${Number(seconds)})`;
