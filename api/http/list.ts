import { decodeCursor, page, type List, type PageQuery } from './cursor.js';

/** The parameters of a list in addition to its own filters. */
interface PageFilter<Key extends string> {
  /** The last row of the previous page: `Key` in ISO 8601, and its id. */
  after?: { [K in Key | 'id']: string };
  limit: number;
}

/**
 * The page of a list for an operation: rows in the order of the time `by`. `find` gets the position and the
 * number of rows to read. Errors: 422 `validation_failed` on `cursor`.
 */
export async function listPage<Key extends string, Row extends { id: string } & Record<Key, Date>, Shown>(
  { cursor, limit }: PageQuery,
  {
    by,
    list,
    find,
    present,
  }: {
    by: Key;
    list: List;
    find: (page: PageFilter<Key>) => Promise<Row[]>;
    present: (row: Row) => Shown;
  },
): Promise<{ data: Shown[]; next_cursor: string | null }> {
  const after = decodeCursor(cursor, list);
  const start = after && ({ [by]: after.key, id: after.id } as { [K in Key | 'id']: string });
  const rows = await find({ after: start, limit: limit + 1 });
  return page(list, rows, limit, (row) => row[by], present);
}
