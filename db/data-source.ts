import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './tables.js';

export interface DatabaseOptions {
  url: string;
  /** Connections this process may hold at once. */
  poolSize: number;
  /** Called with errors on idle connections; the pool replaces those by itself. */
  onPoolError?: (error: unknown) => void;
  /** How long opening a connection may take; 5 s by default, so that a request gets a 503 in time. */
  connectTimeoutMs?: number;
}

/** The driver would make a `date` a point in time, in the zone of the process. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format as 'text');

/**
 * Opens the database. Timestamps are UTC, `bigint` columns are numbers, `date` columns are `YYYY-MM-DD`, `numeric` ones
 * text; the schema comes from migrations only.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: ENTITIES,
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: options.connectTimeoutMs ?? 5_000,
    // A connection that is opened again must log in again, and has none of its plans: keep it over short pauses.
    extra: {
      options: '-c TimeZone=UTC',
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      types: { getTypeParser },
    },
  });
  return dataSource.initialize();
}
