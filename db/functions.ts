import { readdirSync, readFileSync } from 'node:fs';
import { QueryFailedError, type QueryRunner } from 'typeorm';

const FOLDER = new URL('./functions/', import.meta.url);

/** SQLSTATE `invalid_function_definition`: a replacement cannot change the result type or parameter names. */
const CANNOT_REPLACE = '42P13';

/** The functions of schema `public` that do not belong to an extension. */
const OWN_FUNCTIONS = `SELECT p.oid::regprocedure::text AS signature, p.xmin::text AS version
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

async function signatures(runner: QueryRunner): Promise<Map<string, string>> {
  const rows: { signature: string; version: string }[] = await runner.query(OWN_FUNCTIONS);
  return new Map(rows.map(({ signature, version }) => [signature, version]));
}

/**
 * Creates or replaces the functions of `db/functions/`, one per file, in order of file name. Drops functions
 * whose file was removed or whose parameters changed. Must run in a transaction, so that callers see all
 * changes together.
 */
export async function applyFunctions(runner: QueryRunner): Promise<void> {
  const before = await signatures(runner);
  // A function may call one whose file comes later.
  await runner.query('SET LOCAL check_function_bodies = off');
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  for (const file of files.toSorted()) await applyFunction(runner, file);
  for (const [signature, version] of await signatures(runner))
    if (before.get(signature) === version) await runner.query(`DROP FUNCTION ${signature}`);
}

async function applyFunction(runner: QueryRunner, file: string): Promise<void> {
  const sql = readFileSync(new URL(file, FOLDER), 'utf8');
  await runner.query('SAVEPOINT replace_function');
  try {
    await runner.query(sql);
  } catch (error) {
    if (!(error instanceof QueryFailedError) || error.driverError.code !== CANNOT_REPLACE) throw error;
    await runner.query('ROLLBACK TO SAVEPOINT replace_function');
    await runner.query(`DROP FUNCTION ${file.replace('.sql', '')}`);
    await runner.query(sql);
  }
}

/** Drops all functions that `applyFunctions` created. */
export async function dropFunctions(runner: QueryRunner): Promise<void> {
  for (const signature of (await signatures(runner)).keys()) await runner.query(`DROP FUNCTION ${signature}`);
}
