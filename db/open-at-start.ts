import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { MINUTE_MS } from '../domain/durations.js';
import { openDatabase, type DatabaseOptions, type Timeouts } from './data-source.js';
import { isOutage } from './outage.js';

const PAUSE_MS = 1_000;
/** Shorter than orchestrators wait for a process to become ready. */
const WITHIN_MS = 45_000;

/**
 * Opens the database for a process that may start before the database does, or while it is overloaded:
 * retries for 45 s. `onFailure` gets the error of each attempt that is followed by another. Throws the error
 * of the last attempt, and immediately throws errors that are permanent, such as a wrong password.
 */
export async function openAtStart(
  options: DatabaseOptions,
  onFailure: (error: unknown) => void,
  { pauseMs = PAUSE_MS, withinMs = WITHIN_MS } = {},
): Promise<DataSource> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await openDatabase(options);
    } catch (error) {
      if (!isOutage(error) || Date.now() + pauseMs > deadline) throw error;
      onFailure(error);
      await sleep(pauseMs);
    }
  }
}

/**
 * A statement that takes longer, or waits longer for another one, costs all workspaces connections. Work that
 * may take longer uses `SET LOCAL`. Migrations have their own connection, without these limits.
 */
const TIMEOUTS: Timeouts = {
  statement_timeout: MINUTE_MS,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: MINUTE_MS,
};

/** Does the same for an API or worker process, which logs each failure and exits after the last one. */
export function openOrExit(at: Pick<DatabaseOptions, 'url' | 'poolSize'>, log: Logger): Promise<DataSource> {
  const options = {
    ...at,
    timeouts: TIMEOUTS,
    onPoolError: (error: unknown) => log.error({ err: error }, 'idle database connection failed'),
  };
  return openAtStart(options, (error) =>
    log.warn({ err: error }, 'the database cannot be reached, will retry'),
  ).catch((error: unknown) => {
    log.fatal({ err: error }, 'the database cannot be reached');
    process.exit(1);
  });
}
