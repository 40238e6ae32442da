import type { ClientBase, Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { QueryFailedError } from 'typeorm';
import { getPool } from './pool.js';
import {
  isOutdatedPlan,
  named,
  prepareAgain,
  type PreparedStatement,
  type Sql,
} from './prepared-statements.js';
import { getTypeParser } from './type-parsers.js';
import type { Tx } from './transaction.js';

/**
 * A prepared statement for one id, and the same for a list of ids. They are separate because the plan for a
 * list, whose length Postgres does not know, costs more than planning each time.
 */
export interface StatementByIds {
  one: PreparedStatement;
  list: PreparedStatement;
}

async function run<T extends QueryResultRow>(
  tx: Tx,
  sql: Sql,
  params: unknown[],
  how: Omit<QueryConfig, 'text'> = {},
): Promise<QueryResult<T>> {
  const statement = named(sql);
  const client: ClientBase | Pool = tx.queryRunner ? await tx.queryRunner.connect() : getPool(tx.dataSource);
  try {
    return await client.query<T>({ ...statement, ...how, values: params });
  } catch (error) {
    if (isOutdatedPlan(error as Error)) {
      prepareAgain(statement.name);
      // A transaction starts again.
      if (!tx.queryRunner?.isTransactionActive) return run<T>(tx, sql, params, how);
    }
    throw new QueryFailedError(statement.text, params, error as Error);
  }
}

/** Returns all rows of a statement. `T` is the type of the selected rows. */
export async function many<T extends object = never>(tx: Tx, sql: Sql, params: unknown[] = []): Promise<T[]> {
  return (await run<T>(tx, sql, params)).rows;
}

/** Values as Postgres sent them, row by row. */
export type Texts = readonly (string | null)[];

/** Makes the driver return values as texts. */
const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => String } };

/** Returns all rows of a statement as texts. `rows` parses them: the same texts always give the same rows. */
export async function manyTexts<T extends object = never>(
  tx: Tx,
  sql: Sql,
  params: unknown[],
): Promise<{ texts: Texts; rows: () => T[] }> {
  const { rows, fields } = await run<(string | null)[]>(tx, sql, params, AS_TEXTS);
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: getTypeParser(dataTypeID) }));
  const read = (row: Texts): T => {
    const values: Record<string, unknown> = {};
    for (const [n, { name, parse }] of columns.entries()) {
      const text = row[n] ?? null;
      values[name] = text === null ? null : parse(text);
    }
    return values as T;
  };
  return { texts: rows.flat(), rows: () => rows.map(read) };
}

/** Returns all rows of a statement by ids. */
export const manyByIds = <T extends object = never>(
  tx: Tx,
  { one, list }: StatementByIds,
  ids: string[],
): Promise<T[]> => (ids.length === 1 ? many<T>(tx, one, ids) : many<T>(tx, list, [ids]));

/** Returns the first row of a statement that always returns one. Throws if there is none. */
export async function one<T extends object = never>(tx: Tx, sql: Sql, params: unknown[] = []): Promise<T> {
  const [row] = await many<T>(tx, sql, params);
  if (!row) throw new Error(`No row for ${typeof sql === 'string' ? sql : sql.name}`);
  return row;
}

/** Returns the first row of a statement, or null. */
export async function maybeOne<T extends object = never>(
  tx: Tx,
  sql: Sql,
  params: unknown[] = [],
): Promise<T | null> {
  const [row] = await many<T>(tx, sql, params);
  return row ?? null;
}

/** Returns the values of a statement's first column. */
export async function column<V = never>(tx: Tx, sql: Sql, params: unknown[] = []): Promise<V[]> {
  const rows = await many<Record<string, V>>(tx, sql, params);
  return rows.map((row) => Object.values(row)[0]!);
}

/** Returns the number of rows that a statement inserted, updated, deleted or selected. */
export async function affected(tx: Tx, sql: Sql, params: unknown[] = []): Promise<number> {
  return (await run(tx, sql, params)).rowCount ?? 0;
}

/** True if a statement returns a row. */
export async function exists(tx: Tx, sql: Sql, params: unknown[] = []): Promise<boolean> {
  return (await affected(tx, sql, params)) > 0;
}

/** Runs a statement only for its effect, such as a lock. */
export async function execute(tx: Tx, sql: Sql, params: unknown[] = []): Promise<void> {
  await run(tx, sql, params);
}
