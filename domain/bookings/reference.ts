/**
 * The letters of booking references, which Postgres draws together with digits (`new_booking_reference`). No
 * two look alike, and there are no vowels, so that no reference is a word.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export const REFERENCE = new RegExp(`^[${LETTERS}${LETTERS.toLowerCase()}2-9]{7}$`);

/** A shorter prefix would match too many references. */
const START = new RegExp(`^[${LETTERS}2-9]{4,7}$`);

/**
 * Returns the first and last reference that begin with the typed text, in upper or lower case, with or
 * without spaces and hyphens. A complete reference matches only itself. Null for any other text.
 */
export function referencesIn(text: string): { first: string; last: string } | null {
  const start = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return START.test(start) ? { first: start.padEnd(7, '2'), last: start.padEnd(7, 'Z') } : null;
}
