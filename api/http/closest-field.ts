import type joi from 'joi';

/** Longer names have no near field: the comparison takes time with the square of the length. */
const MAX_LENGTH = 40;

/** The names of the fields of the object at `path` in a schema. */
function fieldsAt(schema: joi.Schema, path: (string | number)[]): string[] {
  let at: joi.Schema | undefined = schema;
  for (const step of path) {
    const { keys, items }: Record<string, any> = at!.$_terms;
    at =
      typeof step === 'number'
        ? items?.[0]
        : keys?.find(({ key }: { key: string; schema: joi.Schema }) => key === step)?.schema;
    if (!at) return [];
  }
  return (at.$_terms.keys ?? []).map(({ key }: { key: string }) => key);
}

/** How many letters must be inserted, deleted, replaced or swapped with their neighbour to turn `a` into `b`. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** `startAt`, `start-at` and `start_at` are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The field that an unknown one was probably meant to be: one letter in four may differ, or the beginning is the same.
 */
export function nearField(schema: joi.Schema, path: (string | number)[]): string | undefined {
  const unknown = String(path.at(-1));
  if (unknown.length > MAX_LENGTH) return undefined;
  const name = plain(unknown);
  const near = fieldsAt(schema, path.slice(0, -1))
    .map((field) => {
      const other = plain(field);
      const begins =
        Math.min(name.length, other.length) >= 4 && (other.startsWith(name) || name.startsWith(other));
      return { field, edits: begins ? 1 : distance(name, other), length: other.length };
    })
    .filter(({ edits, length }) => edits <= Math.max(length, name.length) / 4)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.field;
}
