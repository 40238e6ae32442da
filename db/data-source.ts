import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities.js';
import { MINUTE_MS } from '../domain/durations.js';

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections of this process. */
  poolSize: number;
  /** Called with errors on idle connections, which the pool replaces. */
  onPoolError?: (error: unknown) => void;
  /**
   * How long opening a connection may take; 10 s by default: a request still gets its 503 within 15 s, and a machine that is
   * busy with a start opens the first ones in time.
   */
  connectTimeoutMs?: number;
}

/** Keeps `date` values as text: the driver would convert them to a `Date` in the process's time zone. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format as 'text');

/**
 * Opens the database. Timestamps are UTC, `bigint` columns are numbers, `date` columns are `YYYY-MM-DD`, `numeric`
 * columns are text. The schema comes from migrations only.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: Object.values(ENTITIES),
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: options.connectTimeoutMs ?? 10_000,
    // A new connection has to authenticate and has no cached plans, so idle ones are kept for a while.
    extra: {
      options: '-c TimeZone=UTC',
      keepAlive: true,
      idleTimeoutMillis: MINUTE_MS,
      types: { getTypeParser },
    },
  });
  return dataSource.initialize();
}
