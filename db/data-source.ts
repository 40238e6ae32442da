import { DataSource } from 'typeorm';
import { fileURLToPath } from 'node:url';
import * as entities from './entities/index.js';

/** All files of the folder, in the order of their names. */
const MIGRATIONS = fileURLToPath(new URL('./migrations/*.js', import.meta.url));

export interface DatabaseOptions {
  url: string;
  /** Connections this process may hold at once. */
  poolSize: number;
  /** Told of errors on idle connections; the pool replaces those by itself. */
  onPoolError?: (error: unknown) => void;
}

/** Opens the database. Timestamps are UTC, `bigint` columns are JavaScript numbers; the schema comes from migrations only. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    entities: Object.values(entities),
    migrations: [MIGRATIONS],
    migrationsTableName: 'migrations',
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: 5_000,
    // A connection that is opened again must log in again, and has none of its plans: keep it over short pauses.
    extra: { options: '-c TimeZone=UTC', keepAlive: true, idleTimeoutMillis: 60_000 },
  });
  return dataSource.initialize();
}
