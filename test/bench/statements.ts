import type { DataSource } from 'typeorm';

/** Calls of each statement, by its text. Each is one round trip; `BEGIN` and `COMMIT` are statements too. */
export type Statements = Map<string, number>;

/** Prepares counting. False if this Postgres cannot count statements. */
export async function canCountStatements(db: DataSource): Promise<boolean> {
  try {
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await db.query('SELECT FROM pg_stat_statements LIMIT 1');
    return true;
  } catch {
    return false;
  }
}

/** The calls of each statement since the server has started. */
export async function countStatements(db: DataSource): Promise<Statements> {
  const rows: { query: string; calls: number }[] = await db.query(
    `SELECT query, sum(calls)::int AS calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%' GROUP BY query`,
  );
  return new Map(rows.map(({ query, calls }) => [query.replace(/\s+/g, ' '), calls]));
}

/** The calls between two counts, for each of `pieces`, the most frequent first. */
export function statementsBetween(
  before: Statements,
  after: Statements,
  pieces: number,
): { statement: string; calls: number }[] {
  return [...after]
    .map(([statement, calls]) => ({ statement, calls: (calls - (before.get(statement) ?? 0)) / pieces }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
}
