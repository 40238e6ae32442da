import type { DataSource } from 'typeorm';
import { applyFunctions } from './functions.js';

/** Runs the pending migrations and applies the SQL functions. Returns the names of the migrations that ran. */
export async function runMigrations(db: DataSource): Promise<string[]> {
  const applied = await db.runMigrations({ transaction: 'all' });
  await db.transaction((tx) => applyFunctions(tx.queryRunner!));
  return applied.map(({ name }) => name);
}
