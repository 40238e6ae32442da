import joi from 'joi';
import { ApiError } from '../../domain/errors.js';
import { text } from './fields.js';
import { CURSOR } from './patterns.js';
import { integer, object, withDefault, type Infer } from './typed.js';

export const cursorParam = text(500).meta({ json: { pattern: CURSOR } });

/** The query parameters of every list. */
export const pageFields = {
  limit: withDefault(integer.min(1).max(200).description('The maximum number of objects on the page.'), 50),
  cursor: cursorParam.description(
    'The `next_cursor` of the previous page, with the same filters. Omit it for the first page.',
  ),
};
/** The query of a list without filters. */
export const pageSchema = object(pageFields);
export type PageQuery = Infer<typeof pageSchema>;

export const MAX_LIST_NAME = 64;

/** A list. Its cursors are not valid for other lists. */
export interface List {
  /** At most `MAX_LIST_NAME` characters. */
  name: string;
  /** Whether a text has the form of an id of its rows. */
  isId(id: string): boolean;
}

/** The opaque cursor of a page's last row: the list, its sort key and id. */
export function encodeCursor(list: Pick<List, 'name'>, key: Date, id: string): string {
  return Buffer.from(JSON.stringify([list.name, key.toISOString(), id])).toString('base64url');
}

const cursorShape = joi
  .array()
  .ordered(
    joi.string().max(MAX_LIST_NAME).required(),
    joi.string().isoDate().required(),
    joi.string().max(64).required(),
  );

/** Where a page starts: after the row with this sort key (ISO 8601) and id. */
export interface Position {
  key: string;
  id: string;
}

/**
 * The position of a cursor of this list; undefined for the first page. Errors: 422 `validation_failed` on
 * `cursor`.
 */
export function decodeCursor(cursor: string | undefined, list: List): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [name, key, id] = joi.attempt(JSON.parse(Buffer.from(cursor, 'base64url').toString()), cursorShape);
    const at = new Date(key).toISOString();
    // Years before 0 and after 9999 are written with a sign. No row has such a year, and Postgres cannot
    // parse it.
    if (name === list.name && list.isId(id) && /^\d{4}-/.test(at)) return { key: at, id };
  } catch {
    // falls through to the error
  }
  throw invalidCursor();
}

/** The error for a cursor that cannot be read. */
export function invalidCursor(): ApiError {
  return new ApiError(
    'validation_failed',
    'cursor must be the next_cursor of an earlier response of this list.',
    {
      param: 'cursor',
    },
  );
}

/**
 * One page of a list. Pass one row more than the limit if there are more rows, so that only the last page has
 * a null cursor.
 */
export function page<Row extends { id: string }, Presented>(
  list: Pick<List, 'name'>,
  rows: Row[],
  limit: number,
  getKey: (row: Row) => Date,
  present: (row: Row) => Presented,
): { data: Presented[]; next_cursor: string | null } {
  const onPage = rows.slice(0, limit);
  const last = onPage.at(-1);
  const next_cursor = rows.length > limit && last ? encodeCursor(list, getKey(last), last.id) : null;
  return { data: onPage.map(present), next_cursor };
}
