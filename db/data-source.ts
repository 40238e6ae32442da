import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities.js';
import { getTypeParser } from './type-parsers.js';
import { MINUTE_MS } from '../domain/durations.js';

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections of this process. */
  poolSize: number;
  /** Called with errors on idle connections, which the pool replaces. */
  onPoolError?: (error: unknown) => void;
  /**
   * How long opening a connection may take; 10 s by default: a request still gets its 503 within 15 s, and a
   * machine that is busy with a start opens the first ones in time.
   */
  connectTimeoutMs?: number;
  /** Limits of each connection; none by default. */
  timeouts?: Timeouts;
}

/** How long a connection may take, in ms. */
export interface Timeouts {
  /** Any one statement. */
  statement_timeout: number;
  /** A statement waits for a lock. */
  lock_timeout: number;
  /**
   * An open transaction waits for its next statement, such as of a process that hangs.
   * Then the connection ends.
   */
  idle_in_transaction_session_timeout: number;
}

/** Compiling a statement (`jit`) takes longer than any of ours runs. */
const sessionSettings = (timeouts: Partial<Timeouts> = {}): string =>
  Object.entries({ TimeZone: 'UTC', jit: 'off', ...timeouts })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/**
 * Opens the database. Timestamps are UTC, `bigint` columns are numbers, `date` columns are `YYYY-MM-DD`,
 * `numeric` columns are text. The schema comes from migrations only.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    // Otherwise TypeORM would look for the package by itself.
    driver: pg,
    url: options.url,
    entities: Object.values(ENTITIES),
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: options.connectTimeoutMs ?? 10_000,
    // A new connection has to authenticate and has no cached plans, so idle ones are kept for a while.
    extra: {
      options: sessionSettings(options.timeouts),
      keepAlive: true,
      idleTimeoutMillis: MINUTE_MS,
      types: { getTypeParser },
    },
  });
  return dataSource.initialize();
}
