/** The checks that a page fails until it is designed again, by its route. A check that it passes must go. */
export const KNOWN: Record<string, readonly string[]> = {
  // Names of schemas, fields and codes in narrow columns.
  '/docs': ['cut', 'narrow'],
};
