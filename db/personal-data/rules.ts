import { entityColumns, ENTITIES, type Table } from '../entities.js';
import { columnErasures, ERASURE_ORDER, tableRule, type PersonalIds } from './declarations.js';

/** How to erase a person from a table's rows. */
export interface TableErasure {
  table: Table;
  by: [column: string, ids: keyof PersonalIds];
  /** New column values, the same for every row. */
  values: Record<string, unknown>;
  /** New values of JSON columns, computed from each row. */
  redacted: Record<string, (row: Record<string, unknown>) => unknown>;
}

/**
 * Returns the rule of a table from the declarations on its entity. Columns without a declaration become null,
 * except primary keys and columns that Postgres computes. Null for a table without rows about people, or
 * whose rows are deleted. Throws if a column would become null that cannot, and for a table without any
 * declaration.
 */
export function tableErasure(table: Table, entity: abstract new () => object): TableErasure | null {
  if (tableRule(entity) !== null) return null;
  let by: TableErasure['by'] | undefined;
  const values: TableErasure['values'] = {};
  const redacted: TableErasure['redacted'] = {};
  const declared = columnErasures(entity);
  for (const [name, { primary, insert, nullable }] of Object.entries(entityColumns(entity))) {
    const erasure = declared[name] ?? (primary || insert === false ? 'kept' : 'erased');
    if (erasure === 'kept') continue;
    if (erasure === 'erased') {
      if (!nullable) throw new Error(`${table}.${name} cannot be null: keep, replace or redact it.`);
      values[name] = null;
    } else if ('by' in erasure) by = [name, erasure.by];
    else if ('value' in erasure) values[name] = erasure.value;
    else redacted[name] = erasure.redact as (row: object) => unknown;
  }
  if (!by) throw new Error(`${table} needs an ErasureKey, NotPersonal or DeletedWithPerson.`);
  return { table, by, values, redacted };
}

/** The rules of all tables whose rows about a person are kept and changed. */
export const TABLE_ERASURES: TableErasure[] = Object.entries(ENTITIES)
  .flatMap(([table, entity]) => tableErasure(table as Table, entity) ?? [])
  .filter(({ values, redacted }) => Object.keys({ ...values, ...redacted }).length > 0)
  .toSorted((a, b) => ERASURE_ORDER.indexOf(a.by[1]) - ERASURE_ORDER.indexOf(b.by[1]));
