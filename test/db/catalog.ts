import type { DataSource } from 'typeorm';

/** A column as `pg_catalog` describes it. */
export interface CatalogColumn {
  /** The type without modifiers, such as `text` or `timestamptz`; for an array, its element's. */
  type: string;
  is_array: boolean;
  nullable: boolean;
  /** The expression without casts; null if there is none or Postgres computes the value. */
  default: string | null;
  /** Computed by Postgres: `GENERATED ALWAYS`, including identities. */
  generated: boolean;
  primary: boolean;
  /** The values listed in a CHECK constraint, if it has one that lists values. */
  values: string[];
}

const COLUMNS = `SELECT c.relname || '.' || a.attname AS name,
    CASE t.typname WHEN 'bpchar' THEN 'char' WHEN 'timestamptz' THEN 'timestamptz'
      ELSE format_type(coalesce(element.oid, t.oid), NULL) END AS type,
    element.oid IS NOT NULL AS is_array, NOT a.attnotnull AS nullable,
    CASE a.attgenerated WHEN '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default,
    a.attidentity = 'a' OR a.attgenerated <> '' AS generated,
    EXISTS (SELECT FROM pg_index i
      WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS primary,
    (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
     WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
       AND pg_get_constraintdef(k.oid) LIKE '%= ANY (ARRAY[%') AS list
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_type element ON element.oid = t.typelem AND t.typcategory = 'A'
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'`;

interface Found extends Omit<CatalogColumn, 'values'> {
  name: string;
  list: string | null;
}

/** The columns of all tables but TypeORM's own, by `table.column`. */
export async function readCatalog(db: DataSource): Promise<Record<string, CatalogColumn>> {
  const rows: Found[] = await db.query(COLUMNS);
  return Object.fromEntries(
    rows.map(({ name, list, ...column }) => [
      name,
      { ...column, default: column.default && withoutCast(column.default), values: listedValues(list ?? '') },
    ]),
  );
}

/** `'{}'::text[]` → `'{}'` */
const withoutCast = (expression: string): string => expression.replace(/::[\w ]+(\[\])?$/, '');

/** `CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))` → `a`, `b` */
const listedValues = (definition: string): string[] =>
  [...definition.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!);
