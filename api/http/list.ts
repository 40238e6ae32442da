import type { Tx } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from './context.js';
import { decodeCursor, page, type PageQuery } from './cursor.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** What the query of a list takes beside its own filters. */
interface PageOf<Key extends string> {
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
    isId,
    find,
    present,
  }: {
    by: Key;
    isId: (id: string) => boolean;
    find: (page: PageOf<Key>) => Promise<Row[]>;
    present: (row: Row) => Shown;
  },
): Promise<{ data: Shown[]; next_cursor: string | null }> {
  const after = decodeCursor(cursor, isId);
  const start = after && ({ [by]: after.key, id: after.id } as { [K in Key | 'id']: string });
  const rows = await find({ after: start, limit: limit + 1 });
  return page(rows, limit, (row) => row[by], present);
}

/**
 * The handler of a list: a page of rows in the order of the time `by`, with the filters of the request's
 * query. `of` says whose rows they are, by default the workspace's. Errors: those of `of`; 422
 * `validation_failed` on `cursor`.
 */
export function listOf<
  Key extends string,
  Row extends { id: string } & Record<Key, Date>,
  Filter extends PageOf<Key> & Owner,
  Owner extends object = { workspace_id: string },
>({
  find,
  of = async (ctx) => ({ workspace_id: ctx.state.principal.workspace_id }) as unknown as Owner,
  by,
  isId,
  present,
}: {
  find: (tx: Tx, filter: Filter) => Promise<Row[]>;
  of?: (ctx: ApiContext, deps: Deps) => Promise<Owner>;
  by: Key;
  isId: (id: string) => boolean;
  present: (row: Row, principal: Principal) => unknown;
}): (deps: Deps) => Handler<unknown, PageQuery & Omit<Filter, keyof PageOf<Key> | keyof Owner>> {
  return (deps) => async (ctx) => {
    const owner = await of(ctx, deps);
    const { cursor, limit, ...filter } = ctx.state.query;
    const after = decodeCursor(cursor, isId);
    const position = { after: after && { [by]: after.key, id: after.id }, limit: limit + 1 };
    const rows = await find(deps.db.manager, { ...filter, ...owner, ...position } as unknown as Filter);
    ctx.body = page(
      rows,
      limit,
      (row) => row[by],
      (row) => present(row, ctx.state.principal),
    );
  };
}
