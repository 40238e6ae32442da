/**
 * The letters and digits of a booking's reference, which Postgres draws (`new_booking_reference`): none looks like
 * another, and there are no vowels, so that no reference is a word.
 */
export const REFERENCE = /^[BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz2-9]{7}$/;

/** The reference that somebody typed, in any letter case, with spaces or hyphens; null if the text is none. */
export function referenceIn(text: string): string | null {
  const reference = text.replaceAll(/[\s-]/g, '');
  return REFERENCE.test(reference) ? reference.toUpperCase() : null;
}
