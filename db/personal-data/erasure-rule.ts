import type { Row, Table } from '../entities.js';

/** The ids of the objects that belong to an erased person. */
export interface PersonalIds {
  members: string[];
  keys: string[];
  bookings: string[];
  invoices: string[];
  payments: string[];
  /** All of the above: the objects of events and audit entries. */
  objects: string[];
  /** The events about these objects. */
  events: string[];
}

/** A table with rows about a person. */
export interface PersonalTable<T extends Table> {
  /** The column that references the person, and which of their ids it holds. */
  by: [keyof Row<T> & string, keyof PersonalIds];
  /** The columns that are kept. Others become null, unless they are listed below. */
  kept: readonly (keyof Row<T> & string)[];
  /** New values of columns that cannot be null. */
  replaced?: Partial<Row<T>>;
  /** What is kept of a JSON column, computed from a row in which it is not null. */
  redacted?: { [C in keyof Row<T>]?: (row: Row<T>) => Row<T>[C] };
}

/** How a table is erased: its rows are not about a person, are deleted with the person, or are erased. */
export type ErasureRule<T extends Table> = 'not_personal' | 'deleted' | PersonalTable<T>;

/** An erasure rule for every table: a new table does not compile without one. */
export type ErasureRules = { readonly [T in Table]: ErasureRule<T> };
