/** When the transaction began, for a column of `insert` or `update`. */
export const NOW = (): string => 'now()';

/**
 * When the statement runs: for times that must increase from one transaction to another that waited for it.
 */
export const CLOCK = (): string => 'clock_timestamp()';

/** This many seconds after the transaction began. */
export const fromNow = (seconds: number) => (): string => `now() + make_interval(secs => ${Number(seconds)})`;
