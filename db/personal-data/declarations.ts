/* What an erasure does with a table and each of its columns (docs/rules/members.md#erasure), declared on
   the entity. */

/**
 * The order in which tables are erased, by the kind of ids with which their rows are found. `objects` are all
 * ids before it, which events and audit entries are about; `events` are the events about these.
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
 * What happens to a column: `by` finds the rows and stays, `value` replaces it, `redact` computes what stays
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

/** The column contains ids of this kind of a person's objects. It finds the rows to be erased, and stays. */
export const ErasureKey = (by: keyof PersonalIds): PropertyDecorator => column({ by });
/** The column stays. A primary key also stays, without a declaration. */
export const Kept = column('kept');
/** The column becomes null. So does a column without a declaration, but `npm run lint:repo` requires one. */
export const Erased = column('erased');
/** The column gets another value. */
export const Replaced = (value: unknown): PropertyDecorator => column({ value });
/** The part of a JSON column that stays is computed from the row. Null stays null. */
export const Redacted = <E>(redact: (row: E) => unknown): PropertyDecorator => column({ redact });

/** No row is about a person. */
export const NotPersonal = table('not_personal');
/** The commands that erase a person delete the rows. */
export const DeletedWithPerson = table('deleted');

/** Returns the declarations of an entity's columns by name. */
export const columnErasures = (entity: object): Record<string, ColumnErasure> => columns.get(entity) ?? {};

/**
 * Returns the declaration of an entity's table; null if only its columns have declarations, or if there are
 * none.
 */
export const tableRule = (entity: object): TableRule | null => tables.get(entity) ?? null;
