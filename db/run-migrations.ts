import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { applyFunctions } from './functions.js';

/** All modules of the folder: TypeScript sources or their build. */
const MIGRATIONS = fileURLToPath(new URL('./migrations/*.{ts,js}', import.meta.url));

/** Opens a database to run migrations only, without entities. */
export function openForMigrations(url: string): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    url,
    migrations: [MIGRATIONS],
    migrationsTableName: 'migrations',
    poolSize: 1,
    connectTimeoutMS: 30_000,
    extra: { options: '-c TimeZone=UTC' },
  }).initialize();
}

/** Runs the pending migrations and applies the SQL functions. Returns the names of the migrations that ran. */
export async function runMigrations(url: string): Promise<string[]> {
  const db = await openForMigrations(url);
  try {
    const applied = await db.runMigrations({ transaction: 'all' });
    await db.transaction((tx) => applyFunctions(tx.queryRunner!));
    return applied.map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}
