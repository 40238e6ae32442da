import { columnsOf } from './entities.js';

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
 * Columns of a table as parameters of a prepared statement, numbered from `first`, so that the inserts of the
 * busiest paths have their columns by name, in one list.
 */
export function columnParameters<E extends object, C extends keyof E & string>(
  entity: new () => E,
  columns: readonly C[],
  first = 1,
): ColumnParameters<Pick<E, C>> {
  const declared = columnsOf(entity);
  const quoted = columns.map((name) => `"${name}"`);
  const of = (name: unknown): string => `$${first + columns.indexOf(name as C)}`;
  /** The driver would send an array for a JSON column as a Postgres array. */
  const parameter = (name: C, value: unknown): unknown =>
    declared[name]!.type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
  return {
    columns: quoted.join(),
    parameters: columns.map(of).join(),
    assignments: columns.map((name, n) => `${quoted[n]} = ${of(name)}`).join(),
    next: first + columns.length,
    of,
    values: (row) => columns.map((name) => (row ? parameter(name, row[name]) : null)),
  };
}
