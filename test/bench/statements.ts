import type { DataSource } from 'typeorm';

/**
 * Calls of each statement and the milliseconds that Postgres took to plan and run them, by text. Each call is
 * one round trip; `BEGIN` and `COMMIT` are statements too.
 */
export type Statements = Map<string, { calls: number; ms: number }>;

/** Marks the bench's own statements. */
export const NOT_COUNTED = '/* bench */';

/** The end of a statement with which Postgres itself checks a foreign key at the end of a transaction. */
const FOREIGN_KEY = 'FOR KEY SHARE OF x';

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

/** The statements since the server started. */
export async function countStatements(db: DataSource): Promise<Statements> {
  const rows: { query: string; calls: number; ms: number }[] = await db.query(
    `SELECT query, sum(calls)::int AS calls, sum(total_plan_time + total_exec_time) AS ms
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database()
       AND query NOT LIKE '%pg_stat_statements%' AND query NOT LIKE '%${NOT_COUNTED}%'
       AND query NOT LIKE '%${FOREIGN_KEY}'
     GROUP BY query`,
  );
  return new Map(rows.map(({ query, ...cost }) => [query.replace(/\s+/g, ' '), cost]));
}

/** The cost of each statement between two counts, for each of `pieces`, the most expensive first. */
export function statementsBetween(
  before: Statements,
  after: Statements,
  pieces: number,
): { statement: string; calls: number; ms: number }[] {
  return [...after]
    .map(([statement, { calls, ms }]) => {
      const earlier = before.get(statement) ?? { calls: 0, ms: 0 };
      return { statement, calls: (calls - earlier.calls) / pieces, ms: (ms - earlier.ms) / pieces };
    })
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.ms - a.ms);
}
