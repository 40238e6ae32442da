const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
/** What mail programs make a link of: an address of the web or of mail, also in full-width characters. */
const ADDRESS = /:\/\/|www\.|[^\s@]@[^\s@]/i;

/**
 * Whether a text can be a name. Names are shown to people whom their writer does not know, in mail of the service: one
 * line, without an address that leads them elsewhere (docs/rules/api.md#names).
 */
export const isName = (text: string): boolean =>
  text.trim() !== '' && !LINE_BREAK.test(text) && !ADDRESS.test(text.normalize('NFKC'));

/** The name of a person of whom only the mail address is known. */
export function nameFromAddress(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  return isName(local) ? local : 'Member';
}
