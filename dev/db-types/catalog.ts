import type { DataSource } from 'typeorm';

/** A column as `pg_catalog` describes it. */
export interface CatalogColumn {
  table: string;
  name: string;
  /** The type's name without modifiers, such as `text` or `timestamptz`; of an array, its element's. */
  type: string;
  is_array: boolean;
  nullable: boolean;
  has_default: boolean;
  /** Computed by Postgres: `GENERATED ALWAYS`, an identity included. */
  generated: boolean;
  primary: boolean;
  comment: string | null;
  /** The values that a CHECK constraint lists, if it has one that lists values. */
  values: string[] | null;
}

const COLUMNS = `SELECT c.relname AS table, a.attname AS name,
    CASE t.typname WHEN 'bpchar' THEN 'char' ELSE coalesce(element.typname, t.typname) END AS type,
    element.oid IS NOT NULL AS is_array, NOT a.attnotnull AS nullable, a.atthasdef AS has_default,
    a.attidentity = 'a' OR a.attgenerated <> '' AS generated,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS primary,
    col_description(c.oid, a.attnum) AS comment,
    (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
     WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
       AND pg_get_constraintdef(k.oid) LIKE '%= ANY (ARRAY[%') AS list
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_type element ON element.oid = t.typelem AND t.typcategory = 'A'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
  ORDER BY c.relname COLLATE "C", a.attnum`;

/** The columns of all tables but TypeORM's own, by table and position. */
export async function readCatalog(db: DataSource): Promise<CatalogColumn[]> {
  const rows: (CatalogColumn & { list: string | null })[] = await db.query(COLUMNS);
  return rows.map(({ list, ...column }) => ({
    ...column,
    values: list === null ? null : listedValues(list),
  }));
}

/** `CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))` → `a`, `b`. */
const listedValues = (definition: string): string[] =>
  [...definition.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!);
