import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DataSource, QueryFailedError, type DataSourceOptions } from 'typeorm';
import { applyFunctions } from './functions.js';
import { grantToService } from './grants.js';

/** All modules in the folder: TypeScript sources or their build. */
const MIGRATIONS: DataSourceOptions['migrations'] = [
  fileURLToPath(new URL('./migrations/*.{ts,js}', import.meta.url)),
];

/**
 * How long a statement waits for a lock. While it waits, everything that uses the table waits behind it, so
 * it stops waiting and tries again later.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 60;
/** SQLSTATE `lock_not_available`. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Repeats `work` while another transaction holds a lock that it needs, for about two minutes. */
export async function untilLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = (error instanceof QueryFailedError ? error.driverError : {}) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function listApplied(db: DataSource): Promise<string[]> {
  const [{ exists }] = await db.query(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  if (!exists) return [];
  return (await db.query('SELECT name FROM migrations ORDER BY id')).map(
    ({ name }: { name: string }) => name,
  );
}

/**
 * Opens a database only to run migrations, without entities. `migrations`: by default those in the folder.
 */
export function openForMigrations(url: string, migrations = MIGRATIONS): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: 'migrations',
    poolSize: 1,
    connectTimeoutMS: 30_000,
    extra: { options: `-c TimeZone=UTC -c lock_timeout=${LOCK_TIMEOUT_MS}` },
  }).initialize();
}

/** Runs the pending migrations of an open database, each in its own transaction. */
export async function applyMigrations(db: DataSource): Promise<void> {
  await untilLocked(() => db.runMigrations({ transaction: 'each' }));
}

/**
 * Runs the pending migrations as the owner of the schema (docs/internals/rollouts.md#migrations), applies the
 * SQL functions, and grants `serviceRole` what the service needs. Returns the names of the migrations that
 * ran.
 */
export async function runMigrations(url: string, serviceRole?: string): Promise<string[]> {
  const db = await openForMigrations(url);
  try {
    const before = new Set(await listApplied(db));
    await applyMigrations(db);
    await untilLocked(() =>
      db.transaction(async ({ queryRunner }) => {
        await applyFunctions(queryRunner!);
        if (serviceRole !== undefined) await grantToService(queryRunner!, serviceRole);
      }),
    );
    return (await listApplied(db)).filter((name) => !before.has(name));
  } finally {
    await db.destroy();
  }
}
