import { distance } from 'fastest-levenshtein';
import type joi from 'joi';

/** Longer names have no closest field: the comparison takes time with the square of the length. */
const MAX_LENGTH = 40;

/** The parts of an object's or an array's schema. */
interface Terms {
  keys?: { key: string; schema: joi.Schema }[] | null;
  items?: joi.Schema[] | null;
}

/** The names of the fields of the object at `path` in a schema. */
function fieldsAt(schema: joi.Schema, path: (string | number)[]): string[] {
  let at: joi.Schema | undefined = schema;
  for (const step of path) {
    const { keys, items }: Terms = at!.$_terms;
    at = typeof step === 'number' ? items?.[0] : keys?.find(({ key }) => key === step)?.schema;
    if (!at) return [];
  }
  const { keys }: Terms = at.$_terms;
  return (keys ?? []).map(({ key }) => key);
}

/** True if `a` is `b` with two neighbouring letters swapped. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a.slice(at, at + 2) === `${b[at + 1]}${b[at]}` && a.slice(at + 2) === b.slice(at + 2);
}

/**
 * How many letters must be inserted, deleted or replaced to turn one name into the other; a swap counts once.
 */
const editsBetween = (a: string, b: string): number => (isSwapped(a, b) ? 1 : distance(a, b));

/** Treats `startAt`, `start-at` and `start_at` as equal. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The field that an unknown one was probably meant to be: one letter in four may differ, or
 * the beginning is the same.
 */
export function closestField(schema: joi.Schema, path: (string | number)[]): string | undefined {
  const unknown = String(path.at(-1));
  if (unknown.length > MAX_LENGTH) return undefined;
  const name = plain(unknown);
  const near = fieldsAt(schema, path.slice(0, -1))
    .map((field) => {
      const other = plain(field);
      const begins =
        Math.min(name.length, other.length) >= 4 && (other.startsWith(name) || name.startsWith(other));
      return { field, edits: begins ? 1 : editsBetween(name, other), length: other.length };
    })
    .filter(({ edits, length }) => edits <= Math.max(length, name.length) / 4)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.field;
}
