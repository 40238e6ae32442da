/**
 * Text that mail programs turn into a link: an email address, or a web address with a scheme, `www.`, a path
 * or a port.
 */
const ADDRESS = /:\/\/|www\.|[^\s@]@[^\s@]+\.[^\s@]|[\p{L}\p{N}]\.\p{L}{2,}(?:[/?#]|:\d)/iu;

/** A character that looks like the dot in a host name, followed by a letter. */
const FALSE_DOT = /[\p{L}\p{N}][\u2024\u3002\uFE52\uFF0E\uFF61][A-Za-z0-9\uFF10-\uFF5A]/u;

/** A joiner inside a word, as in Persian and Hindi, or inside an emoji. */
const JOINER = /(?<=[\p{L}\p{M}\p{Emoji}])[\u200C\u200D](?=[\p{L}\p{Emoji}])/gu;

/**
 * Control characters, line breaks, marks that change the direction of text, and other invisible characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Characters that look blank, whether or not they are spaces. */
const BLANK = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu;

/**
 * True if a text can be a name. The service's mails show names to people who do not know who wrote them. So a
 * name is a single line without invisible characters, and contains no address that a mail program turns into
 * a link (docs/rules/api.md#names).
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

/** Returns a name for a person of whom only the email address is known. */
export function nameFromAddress(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  return isName(local) ? local : 'Member';
}
