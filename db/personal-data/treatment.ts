import type { Row, Table } from '../tables.js';

/** The ids of what is about an erased person. */
export interface PersonalIds {
  members: string[];
  keys: string[];
  bookings: string[];
  invoices: string[];
  payments: string[];
  /** Of all of the above: what events and audit entries are about. */
  objects: string[];
  /** The events about these objects. */
  events: string[];
}

/** A table with rows about a person. */
export interface PersonalTable<T extends Table> {
  /** The column that refers to the person, and which of their ids it holds. */
  by: [keyof Row<T> & string, keyof PersonalIds];
  /** The columns that stay. Any other becomes null, unless it is one of the following. */
  kept: readonly (keyof Row<T> & string)[];
  /** The value that takes the place of one that cannot be null. */
  replaced?: Partial<Row<T>>;
  /** What remains of JSON, from a row of which it is not null. */
  reduced?: { [C in keyof Row<T>]?: (row: Row<T>) => Row<T>[C] };
}

/** How a table is treated: its rows are about no person, are deleted with the person, or are erased. */
export type Treatment<T extends Table> = 'not_personal' | 'deleted' | PersonalTable<T>;

/** A treatment for every table: a new table does not compile without one. */
export type Treatments = { readonly [T in Table]: Treatment<T> };
