import { fileURLToPath } from 'node:url';
import { DataSource } from 'typeorm';
import { applyFunctions } from './functions.js';
import { grantToService } from './grants.js';

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

/**
 * Runs the pending migrations as the owner of the schema, applies the SQL functions, and grants `serviceRole` what the
 * service needs. Returns the names of the migrations that ran.
 */
export async function runMigrations(url: string, serviceRole?: string): Promise<string[]> {
  const db = await openForMigrations(url);
  try {
    const applied = await db.runMigrations({ transaction: 'all' });
    await db.transaction(async ({ queryRunner }) => {
      await applyFunctions(queryRunner!);
      if (serviceRole !== undefined) await grantToService(queryRunner!, serviceRole);
    });
    return applied.map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}
