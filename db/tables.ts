import { EntitySchema, type EntitySchemaColumnOptions, type Repository } from 'typeorm';
import { affected, maybeOne, one } from './query.js';
import { COLUMNS, type ColumnFacts, type Tables } from './schema.js';
import type { Tx } from './transaction.js';

/** The name of a table. */
export type Table = keyof Tables;

/** A row of a table, as `SELECT *` returns it. */
export type Row<T extends Table> = Tables[T]['row'];

/** The columns of an insert: those that are nullable or have a default may be left out. */
export type Insert<T extends Table> = Omit<Row<T>, Tables[T]['optional'] | Tables[T]['generated']> &
  Partial<Pick<Row<T>, Tables[T]['optional'] & keyof Row<T>>>;

/** Time by the database's clock, for a column of an insert or update. */
export class DatabaseTime {
  constructor(readonly sql: string) {}
}
/** When the transaction began. */
export const NOW = new DatabaseTime('now()');
/** When the statement runs: for times that must increase from one transaction to the next that waited for it. */
export const CLOCK = new DatabaseTime('clock_timestamp()');
/** So many seconds after the transaction began. */
export const fromNow = (seconds: number): DatabaseTime =>
  new DatabaseTime(`now() + make_interval(secs => ${Number(seconds)})`);

type OrDatabaseTime<R> = { [C in keyof R]: R[C] | (Date extends R[C] ? DatabaseTime : never) };

/** New values for some columns; undefined leaves one as it is. */
export type Changes<T extends Table> = OrDatabaseTime<Partial<Omit<Row<T>, Tables[T]['generated']>>>;

/** What selects rows: the values of some columns, none of them null. */
export type Key<T extends Table> = { [C in keyof Row<T>]?: NonNullable<Row<T>[C]> };

const factsOf = (table: Table, name: string): ColumnFacts => {
  const facts = (COLUMNS[table] as Record<string, ColumnFacts>)[name];
  if (!facts) throw new Error(`There is no column ${table}.${name}.`);
  return facts;
};

/** A value as the driver takes it: it would send an array for a JSON column as an array of Postgres. */
function parameter(table: Table, name: string, value: unknown): unknown {
  const { type } = factsOf(table, name);
  const isJson = type === 'json' || type === 'jsonb';
  return isJson && value !== null && value !== undefined ? JSON.stringify(value) : value;
}

const quoted = (name: string): string => `"${name}"`;

/** `name = $n` or the like for each given column, with the values added to `params`. */
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

/** Inserts a row and returns it as it is stored. */
export function insert<T extends Table>(tx: Tx, table: T, row: OrDatabaseTime<Insert<T>>): Promise<Row<T>> {
  const params: unknown[] = [];
  return one<Row<T>>(tx, `${insertion(table, row, params)} RETURNING *`, params);
}

/** Inserts a row unless a unique constraint forbids it: then it returns null, and nothing is changed. */
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
  if (names.length === 0) throw new Error(`A key of ${table} needs a column.`);
  return names.map((name, n) => `${name} = ${values[n]}`).join(' AND ');
}

/** Updates the rows that have the key. Returns how many those are; 0 without a change to make. */
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

/** Deletes the rows that have the key. Returns how many those were. */
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
  /** The number of the first parameter that is free. */
  next: number;
  /** The parameter of one column. */
  of(column: keyof R): string;
  /** The values of the parameters, from a row; all null without one. */
  values(row: R | null): unknown[];
}

/**
 * Columns of a table as parameters of a prepared statement, numbered from `first` on: so an insert of the busiest paths
 * has its columns by name, in one list.
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

/** What TypeORM knows about the tables. */
export const ENTITIES: EntitySchema<object>[] = Object.entries(COLUMNS).map(([table, columns]) => {
  const entries = Object.entries(columns).map(([name, facts]) => [name, entityColumn(facts)]);
  return new EntitySchema({ name: table, tableName: table, columns: Object.fromEntries(entries) });
});

/** TypeORM's repository of a table: for a single row that is read or saved without a lock; see db/README.md. */
export const repository = <T extends Table>(tx: Tx, table: T): Repository<Row<T>> => tx.getRepository(table);
