/** Adds a value to a statement and gives the parameter that stands for it. */
export type Bind = (value: unknown) => string;

/** What people are found by. The trigram indexes are on these very expressions; another spelling would not use them. */
export const GUEST_TEXT = `(b.guest_name || ' ' || b.guest_email)`;
export const PROFILE_TEXT = `(p.name || ' ' || p.email)`;

/**
 * The SQL condition of a `q`: every word of it is part of `text`, in any order and any case. `%` and `_` are
 * characters like others. Words of one or two characters find too; only the index has nothing to offer for them.
 */
export function containsWords(text: string, q: string, bind: Bind): string {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `${text} ILIKE ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`).join(' AND ');
}
