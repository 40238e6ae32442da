import { DataSource } from 'typeorm';
import * as entities from './entities/index.js';
import { InitialSchema1763700000000 } from './migrations/1763700000000-initial-schema.js';
import { BookingChanges1763720000000 } from './migrations/1763720000000-booking-changes.js';
import { SearchAndAudit1763730000000 } from './migrations/1763730000000-search-and-audit.js';

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
    migrations: [InitialSchema1763700000000, BookingChanges1763720000000, SearchAndAudit1763730000000],
    migrationsTableName: 'migrations',
    synchronize: false,
    parseInt8: true,
    poolSize: options.poolSize,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    connectTimeoutMS: 5_000,
    extra: { options: '-c TimeZone=UTC', keepAlive: true },
  });
  return dataSource.initialize();
}
