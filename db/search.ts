/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The texts in which people are searched. The trigram indexes are on exactly these expressions. */
export const GUEST_TEXT = `(b.guest_name || ' ' || b.guest_email)`;
export const MEMBER_TEXT = `(m.name || ' ' || m.email)`;
/** The text in which companies are searched; a workspace has few. */
export const COMPANY_TEXT = `(c.name || ' ' || coalesce(c.billing_email, ''))`;

/**
 * The SQL condition for a `q`: `text` contains each of its words, in any order and case. `%` and `_` are ordinary
 * characters. Words of one or two characters match too, but cannot use the index.
 */
export function containsWords(text: string, q: string, bind: Bind): string {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `${text} ILIKE ${bind(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`).join(' AND ');
}
