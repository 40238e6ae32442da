import joi from 'joi';
import { ApiError } from '../../domain/errors.js';
import { text } from './validate.js';

export const cursorParam = text(500);

/** The opaque cursor after a page's last row: its sort key and id. */
export function encodeCursor(key: Date, id: string): string {
  return Buffer.from(JSON.stringify([key.toISOString(), id])).toString('base64url');
}

const cursorShape = joi.array().ordered(joi.string().isoDate().required(), joi.string().max(64).required());

/** Reads a cursor. `isValidId` tells the ids of this list. Errors: 422 `validation_failed` on `cursor`. */
export function decodeCursor(
  cursor: string,
  isValidId: (id: string) => boolean,
): { key: string; id: string } {
  try {
    const [key, id] = joi.attempt(JSON.parse(Buffer.from(cursor, 'base64url').toString()), cursorShape);
    const at = new Date(key).toISOString();
    // Years before 0 and after 9999 come with a sign, which no row of ours has and Postgres can't read.
    if (isValidId(id) && /^\d{4}-/.test(at)) return { key: at, id };
  } catch {
    // falls through to the refusal
  }
  throw unknownCursor();
}

/** The refusal of a cursor that can't be read. */
export function unknownCursor(): ApiError {
  return new ApiError('validation_failed', 'cursor is not one that this list has given.', {
    param: 'cursor',
  });
}

/** One page: asked for one row more than the limit, so that the last page has a null cursor. */
export function page<Row extends { id: string }, Shown>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => Date,
  present: (row: Row) => Shown,
): { data: Shown[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next_cursor = rows.length > limit && last ? encodeCursor(keyOf(last), last.id) : null;
  return { data: shown.map(present), next_cursor };
}
