/**
 * What mail programs make a link of: an address of mail, or one of the web with its scheme,
 * `www.`, a path or a port.
 */
const ADDRESS = /:\/\/|www\.|[^\s@]@[^\s@]+\.[^\s@]|[\p{L}\p{N}]\.\p{L}{2,}(?:[/?#]|:\d)/iu;

/** A character that looks like the dot of a host, before a letter of one. */
const FALSE_DOT = /[\p{L}\p{N}][\u2024\u3002\uFE52\uFF0E\uFF61][A-Za-z0-9\uFF10-\uFF5A]/u;

/** A joiner inside a word, as Persian and Hindi have them, or of an emoji. */
const JOINER = /(?<=[\p{L}\p{M}\p{Emoji}])[\u200C\u200D](?=[\p{L}\p{Emoji}])/gu;

/** Controls, line breaks, marks that turn the direction of text, and other characters that are not seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** What is blank although it is no space. */
const BLANK = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu;

/**
 * Whether a text can be a name. Names are shown to people whom their writer does not know, in mail of the
 * service: one line that is as it looks, without an address that leads them elsewhere
 * (docs/rules/api.md#names).
 */
export function isName(text: string): boolean {
  const isSeen = text.replace(BLANK, '') !== '';
  return (
    isSeen &&
    !UNSEEN.test(text.replace(JOINER, '')) &&
    !FALSE_DOT.test(text) &&
    !ADDRESS.test(text.normalize('NFKC'))
  );
}

/** The name of a person of whom only the mail address is known. */
export function nameFromAddress(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  return isName(local) ? local : 'Member';
}
