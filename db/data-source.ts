import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities.js';
import { getTypeParser } from './type-parsers.js';
import { MINUTE_MS } from '../domain/durations.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Called with errors on idle connections, which the pool replaces. */
  onPoolError?: (error: unknown) => void;
  /**
   * How long opening a connection may take, by default 10 s: a request still gets its 503 within 15 s, and a
   * machine that is busy during startup can open its first connections in time.
   */
  connectTimeoutMs?: number;
  /** Limits of each connection; none by default. */
  timeouts?: Timeouts;
}

/** Time limits of a connection, in ms. */
export interface Timeouts {
  /** For any statement. */
  statement_timeout: number;
  /** For a statement that waits for a lock. */
  lock_timeout: number;
  /**
   * For an open transaction that waits for its next statement, for example because its process hangs. The
   * connection is then closed.
   */
  idle_in_transaction_session_timeout: number;
}

/** `jit` is off, because compiling a statement takes longer than running any of ours. */
const sessionSettings = (timeouts: Partial<Timeouts> = {}): string =>
  Object.entries({ TimeZone: 'UTC', jit: 'off', ...timeouts })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/**
 * Opens the database. Timestamps are UTC, `bigint` columns are numbers, `date` columns are `YYYY-MM-DD`,
 * `numeric` columns are strings. Only migrations create the schema.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    // Otherwise TypeORM would search for the package itself.
    driver: pg,
    url: options.url,
    entities: Object.values(ENTITIES),
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: options.connectTimeoutMs ?? 10_000,
    // A new connection must authenticate and has no cached plans, so idle connections are kept for some time.
    extra: {
      options: sessionSettings(options.timeouts),
      keepAlive: true,
      idleTimeoutMillis: MINUTE_MS,
      types: { getTypeParser },
    },
  });
  return dataSource.initialize();
}
