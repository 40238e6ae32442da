import pg from 'pg';
import type { DevJson } from '../../dev/launcher/stack.js';
import { EXCEPTIONS } from '../tenants/exceptions.js';
import { unreached } from '../tenants/reach.js';

/** The statement on one line, as EXCEPTIONS have it. */
const line = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

const EXPECTED = Object.values(EXCEPTIONS).flat();

/** What is wrong with a statement of the service: a sentence, or null. */
export async function findStatementFault(sql: string): Promise<string | null> {
  const text = line(sql);
  if (EXPECTED.some((start) => text.startsWith(start))) return null;
  const tables = await unreached(sql);
  return tables.length === 0 ? null : `reaches ${tables.join(', ')} of any workspace: ${text.slice(0, 400)}`;
}

/**
 * Checks the statements that a stack's API and worker processes have run, as counted by Postgres. Returns a
 * line for each that does not name the workspace. Null if this Postgres cannot count statements.
 */
export async function statementFaults({
  databaseUrl,
}: Pick<DevJson, 'databaseUrl'>): Promise<string[] | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const { rows } = await client.query<{ query: string }>(
      `SELECT DISTINCT query FROM pg_stat_statements s
       JOIN pg_database d ON d.oid = s.dbid JOIN pg_roles r ON r.oid = s.userid
       WHERE d.datname = current_database() AND r.rolname LIKE 'holdfast\\_service%'`,
    );
    // Without any the roles have other names, and nothing would be checked.
    if (rows.length === 0) return ['no statement of the service was counted'];
    const faults = await Promise.all(rows.map(({ query }) => findStatementFault(query)));
    return faults.filter((fault) => fault !== null);
  } catch (error) {
    // 55000: the library is not loaded; 0A000 and 58P01: it is not installed.
    if (['55000', '0A000', '58P01'].includes((error as pg.DatabaseError).code ?? '')) return null;
    throw error;
  } finally {
    await client.end();
  }
}
