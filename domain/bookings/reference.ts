/**
 * The letters of a booking's reference, beside digits, which Postgres draws (`new_booking_reference`): none
 * looks like another, and there are no vowels, so that no reference is a word.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export const REFERENCE = new RegExp(`^[${LETTERS}${LETTERS.toLowerCase()}2-9]{7}$`);

/** A shorter start is that of too many references. */
const START = new RegExp(`^[${LETTERS}2-9]{4,7}$`);

/**
 * The references that begin as somebody typed, from the first to the last, in any letter case, with spaces or
 * hyphens: for a complete one only itself. Null for any other text.
 */
export function referencesIn(text: string): { first: string; last: string } | null {
  const start = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return START.test(start) ? { first: start.padEnd(7, '2'), last: start.padEnd(7, 'Z') } : null;
}
