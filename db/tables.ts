import { EntitySchema, type EntitySchemaColumnOptions, type Repository } from 'typeorm';
import { affected, maybeOne, one } from './query.js';
import { COLUMNS, type ColumnFacts, type Tables } from './schema.js';
import type { Tx } from './transaction.js';

/** The name of a table. */
export type Table = keyof Tables;

/** A row of a table, as `SELECT *` returns it. */
export type Row<T extends Table> = Tables[T]['row'];

/** The columns of an insert. Nullable columns and those with a default may be omitted. */
export type Insert<T extends Table> = Omit<Row<T>, Tables[T]['optional'] | Tables[T]['generated']> &
  Partial<Pick<Row<T>, Tables[T]['optional'] & keyof Row<T>>>;

/** A time from the database's clock, for a column of an insert or update. */
export class DatabaseTime {
  constructor(readonly sql: string) {}
}
/** When the transaction began. */
export const NOW = new DatabaseTime('now()');
/** When the statement runs: for times that must increase from one transaction to another that waited for it. */
export const CLOCK = new DatabaseTime('clock_timestamp()');
/** This many seconds after the transaction began. */
export const fromNow = (seconds: number): DatabaseTime =>
  new DatabaseTime(`now() + make_interval(secs => ${Number(seconds)})`);

type OrDatabaseTime<R> = { [C in keyof R]: R[C] | (Date extends R[C] ? DatabaseTime : never) };

/** New values for some columns; `undefined` leaves a column unchanged. */
export type Changes<T extends Table> = OrDatabaseTime<Partial<Omit<Row<T>, Tables[T]['generated']>>>;

/** Selects rows by the values of some columns, none of them null; an array by any of its values. */
export type Key<T extends Table> = {
  [C in keyof Row<T>]?: NonNullable<Row<T>[C]> | readonly NonNullable<Row<T>[C]>[];
};

const factsOf = (table: Table, name: string): ColumnFacts => {
  const facts = (COLUMNS[table] as Record<string, ColumnFacts>)[name];
  if (!facts) throw new Error(`Unknown column ${table}.${name}.`);
  return facts;
};

/** A value for the driver, which would send an array for a JSON column as a Postgres array. */
function parameter(table: Table, name: string, value: unknown): unknown {
  const { type } = factsOf(table, name);
  const isJson = type === 'json' || type === 'jsonb';
  return isJson && value !== null && value !== undefined ? JSON.stringify(value) : value;
}

const quoted = (name: string): string => `"${name}"`;

/** The quoted names and the SQL values (`$n` or a database time) of the given columns; adds parameters to `params`. */
function terms(table: Table, columns: object, params: unknown[]): { names: string[]; values: string[] } {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return {
    names: given.map(([name]) => quoted(name)),
    values: given.map(([name, value]) =>
      value instanceof DatabaseTime ? value.sql : `$${params.push(parameter(table, name, value))}`,
    ),
  };
}

function insertion(table: Table, row: object, params: unknown[]): string {
  const { names, values } = terms(table, row, params);
  return `INSERT INTO ${table} (${names.join()}) VALUES (${values.join()})`;
}

/** Inserts a row and returns it as stored. */
export function insert<T extends Table>(tx: Tx, table: T, row: OrDatabaseTime<Insert<T>>): Promise<Row<T>> {
  const params: unknown[] = [];
  return one<Row<T>>(tx, `${insertion(table, row, params)} RETURNING *`, params);
}

/** Inserts a row, or returns null if that would violate a unique constraint. */
export function insertIfAbsent<T extends Table>(
  tx: Tx,
  table: T,
  row: OrDatabaseTime<Insert<T>>,
): Promise<Row<T> | null> {
  const params: unknown[] = [];
  return maybeOne<Row<T>>(tx, `${insertion(table, row, params)} ON CONFLICT DO NOTHING RETURNING *`, params);
}

function condition(table: Table, key: object, params: unknown[]): string {
  const { names, values } = terms(table, key, params);
  if (names.length === 0) throw new Error(`The key of ${table} has no columns.`);
  const given = Object.values(key).filter((value) => value !== undefined);
  return names
    .map((name, n) => `${name} = ${Array.isArray(given[n]) ? `ANY (${values[n]})` : values[n]}`)
    .join(' AND ');
}

/** Updates the rows with this key. Returns their number; 0 if no changes are given. */
export async function update<T extends Table>(
  tx: Tx,
  table: T,
  key: Key<T>,
  changes: Changes<T>,
): Promise<number> {
  const params: unknown[] = [];
  const { names, values } = terms(table, changes, params);
  if (names.length === 0) return 0;
  const assignments = names.map((name, n) => `${name} = ${values[n]}`).join();
  return affected(tx, `UPDATE ${table} SET ${assignments} WHERE ${condition(table, key, params)}`, params);
}

/** Deletes the rows with this key. Returns their number. */
export function remove<T extends Table>(tx: Tx, table: T, key: Key<T>): Promise<number> {
  const params: unknown[] = [];
  return affected(tx, `DELETE FROM ${table} WHERE ${condition(table, key, params)}`, params);
}

/** Columns of a table as parameters of a prepared statement; see `columnParameters`. */
export interface ColumnParameters<R> {
  /** `"a","b"` */
  columns: string;
  /** `$1,$2` */
  parameters: string;
  /** `"a" = $1,"b" = $2` */
  assignments: string;
  /** The number of the next free parameter. */
  next: number;
  /** The parameter of one column. */
  of(column: keyof R): string;
  /** The parameter values from a row; all null without a row. */
  values(row: R | null): unknown[];
}

/**
 * Columns of a table as parameters of a prepared statement, numbered from `first`, so that the inserts of the busiest
 * paths have their columns by name, in one list.
 */
export function columnParameters<T extends Table, C extends keyof Insert<T> & string>(
  table: T,
  columns: readonly C[],
  first = 1,
): ColumnParameters<Pick<Insert<T>, C>> {
  for (const name of columns) factsOf(table, name);
  const of = (name: unknown): string => `$${first + columns.indexOf(name as C)}`;
  return {
    columns: columns.map(quoted).join(),
    parameters: columns.map(of).join(),
    assignments: columns.map((name) => `${quoted(name)} = ${of(name)}`).join(),
    next: first + columns.length,
    of,
    values: (row) => columns.map((name) => (row ? parameter(table, name, row[name]) : null)),
  };
}

function entityColumn({
  type,
  is_array,
  nullable,
  primary,
  generated,
}: ColumnFacts): EntitySchemaColumnOptions {
  const writable = { insert: !generated, update: !generated };
  return { type, array: is_array, nullable, primary, ...writable };
}

/** TypeORM's entities, one per table. */
export const ENTITIES: EntitySchema<object>[] = Object.entries(COLUMNS).map(([table, columns]) => {
  const entries = Object.entries(columns).map(([name, facts]) => [name, entityColumn(facts)]);
  return new EntitySchema({ name: table, tableName: table, columns: Object.fromEntries(entries) });
});

/** TypeORM's repository of a table, to read or save a single row without a lock; see db/README.md. */
export const repository = <T extends Table>(tx: Tx, table: T): Repository<Row<T>> => tx.getRepository(table);
