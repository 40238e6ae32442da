/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The texts that people are searched by. The trigram indexes are on these expressions; another spelling would not use them. */
export const GUEST_TEXT = `(b.guest_name || ' ' || b.guest_email)`;
export const PROFILE_TEXT = `(p.name || ' ' || p.email)`;

/**
 * The SQL condition of a `q`: every word of it is part of `text`, in any order and any case. `%` and `_` are ordinary
 * characters. Words of one or two characters match too, but cannot use the index.
 */
export function containsWords(text: string, q: string, bind: Bind): string {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `${text} ILIKE ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`).join(' AND ');
}
