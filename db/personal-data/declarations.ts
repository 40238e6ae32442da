/*
 * What an erasure does with a table and each of its columns (docs/rules/members.md#erasure), declared on the
 * entity.
 */

/**
 * The order in which tables are erased, by whose ids their rows are found. `objects` are all ids before it:
 * the objects of events and audit entries; `events` are the events about these.
 */
export const ERASURE_ORDER = [
  'invoices',
  'bookings',
  'payments',
  'keys',
  'members',
  'objects',
  'events',
] as const;

/** The ids of the objects that belong to an erased person. */
export type PersonalIds = Record<(typeof ERASURE_ORDER)[number], string[]>;

/**
 * What becomes of a column: `by` finds the rows and stays, `value` replaces it, `redact` computes what stays
 * of JSON.
 */
export type ColumnErasure =
  | 'kept'
  | 'erased'
  | { by: keyof PersonalIds }
  | { value: unknown }
  | { redact: (row: never) => unknown };

export type TableRule = 'not_personal' | 'deleted';

const columns = new Map<object, Record<string, ColumnErasure>>();
const tables = new Map<object, TableRule>();

const column =
  (erasure: ColumnErasure): PropertyDecorator =>
  ({ constructor }, name) => {
    columns.set(constructor, { ...columns.get(constructor), [name]: erasure });
  };

const table =
  (rule: TableRule): ClassDecorator =>
  (entity) => {
    tables.set(entity, rule);
  };

/** The column has ids of this kind of a person's objects: it finds the rows that are erased, and stays. */
export const ErasureKey = (by: keyof PersonalIds): PropertyDecorator => column({ by });
/** The column stays. So does a primary key, without a declaration. */
export const Kept = column('kept');
/** The column becomes null. So does one without a declaration, but a test asks for one. */
export const Erased = column('erased');
/** The column gets another value. */
export const Replaced = (value: unknown): PropertyDecorator => column({ value });
/** What stays of a JSON column is computed from the row. Null stays null. */
export const Redacted = <E>(redact: (row: E) => unknown): PropertyDecorator => column({ redact });

/** No row is about a person. */
export const NotPersonal = table('not_personal');
/** The commands that erase a person delete the rows. */
export const DeletedWithPerson = table('deleted');

/** The declarations of an entity's columns by name. */
export const columnErasures = (entity: object): Record<string, ColumnErasure> => columns.get(entity) ?? {};

/** The declaration of an entity's table; null for one whose columns have theirs, or for none. */
export const tableRule = (entity: object): TableRule | null => tables.get(entity) ?? null;
