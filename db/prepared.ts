import type { ClientBase, Pool } from 'pg';
import { QueryFailedError } from 'typeorm';
import { poolOf } from './pool.js';
import type { Tx } from './transaction.js';

/** A statement that each connection has parsed and planned once, under its name. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Runs a prepared statement and returns its rows. For the statements of the busiest paths: planning one takes Postgres
 * longer than running it. Its result must name its columns, for the plan of a `SELECT *` ends with the next column
 * that its table gets.
 */
export async function runPrepared<Rows = any>(
  tx: Tx,
  statement: PreparedStatement,
  values: unknown[],
): Promise<Rows> {
  const client: ClientBase | Pool = tx.queryRunner ? await tx.queryRunner.connect() : poolOf(tx.connection);
  try {
    return (await client.query({ ...statement, values })).rows as Rows;
  } catch (error) {
    throw new QueryFailedError(statement.text, values, error as Error);
  }
}
