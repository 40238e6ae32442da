import type { Tx } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from './context.js';
import { decodeCursor, page, type PageQuery } from './cursor.js';

/** What the query of a list takes beside its own filters. */
interface PageOf<Key extends string> {
  workspace_id: string;
  /** The last row of the previous page: `Key` in ISO 8601, and its id. */
  after?: { [K in Key | 'id']: string };
  limit: number;
}

/**
 * The handler of a list: a page of the workspace's rows in the order of the time `by`, with the filters of the request's
 * query. Errors: 422 `validation_failed` on `cursor`.
 */
export const listOf =
  <Key extends string, Row extends { id: string } & Record<Key, Date>, Filter extends PageOf<Key>>({
    find,
    by,
    isId,
    present,
  }: {
    find: (tx: Tx, filter: Filter) => Promise<Row[]>;
    by: Key;
    isId: (id: string) => boolean;
    present: (row: Row) => unknown;
  }) =>
  ({ db }: Pick<ApiDependencies, 'db'>): Handler<unknown, PageQuery & Omit<Filter, keyof PageOf<Key>>> =>
  async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query;
    const after = decodeCursor(cursor, isId);
    const position: PageOf<Key> = {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && ({ [by]: after.key, id: after.id } as PageOf<Key>['after']),
      limit: limit + 1,
    };
    const rows = await find(db.manager, { ...filter, ...position } as unknown as Filter);
    ctx.body = page(rows, limit, (row) => row[by], present);
  };
