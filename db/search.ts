import { referencesIn } from '../domain/bookings/reference.js';

/** Adds a value to a statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** SQL of a text without the apostrophes and hyphens that a `search_text` has. */
const plain = (text: string): string => `translate(${text}, '''-', '')`;

const billing = (field: string): string => `coalesce(' ' || (b.guest_billing ->> '${field}'), '')`;

/**
 * The texts in which people are searched, with what a guest's documents print. The trigram indexes are on
 * exactly these expressions.
 */
export const GUEST_TEXT = plain(
  `search_text(b.guest_name || ' ' || b.guest_email || ${billing('company')} || ` +
    `${billing('vat_number')} || ${billing('order_reference')})`,
);
export const MEMBER_TEXT = plain(`search_text(m.name || ' ' || m.email)`);
/**
 * The references of invoices that say more than their number, and of payments. Partial
 * indexes are on exactly these.
 */
export const INVOICE_REFERENCE = {
  text: plain(`search_text(i.accounting_reference)`),
  where: `i.accounting_reference <> 'Holdfast #' || i.number::text`,
};
export const PAYMENT_REFERENCE = {
  text: plain(`search_text(p.reference)`),
  where: `p.reference IS NOT NULL`,
};
/** The texts in which companies and rooms are searched; a workspace has few. */
export const COMPANY_TEXT = plain(`search_text(concat_ws(' ', c.name, c.billing_email, c.vat_number))`);
export const ROOM_TEXT = plain(`search_text(r.name)`);

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * How a word may be stored: `Mueller` as Müller, of which a `search_text` has `muller`,
 * and `Müller` as Mueller.
 */
function spellingsOf(word: string): string[] {
  const composed = word.normalize('NFC').toLowerCase();
  const without = composed.replaceAll(/([aou])e/g, '$1');
  return [...new Set([composed, without, composed.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter]!)])];
}

/** Words of these characters only are in every text. */
const NO_WORD = /^['‘’ʼ‐–—-]*$/;

/**
 * The SQL condition for a `q`: `text`, one of the above, contains each of its words, in any order, case and
 * accents, with or without apostrophes and hyphens, and with umlauts or as they are written without them
 * (docs/rules/workspace.md#search). The longest one is looked up in the index, and the others are looked for
 * in what that finds, so that `text` is computed for each row once or twice, and not for each word of one
 * spelling. Words of one or two characters match too, but cannot use the index.
 */
export function containsWords(text: string, q: string, bind: Bind): string {
  const words = [...new Set(q.split(/\s+/).filter((word) => !NO_WORD.test(word)))];
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return 'true';
  const contains = (word: string): string =>
    `(${spellingsOf(word)
      .map((spelling) => `${text} LIKE ${plain(`search_pattern(${bind(spelling)})`)}`)
      .join(' OR ')})`;
  const containsAll = (certain: string[]): string =>
    `${text} LIKE ALL (ARRAY(SELECT ${plain('search_pattern(word)')}
      FROM unnest(${bind(certain)}::text[]) word))`;
  const certain = others.filter((word) => spellingsOf(word).length === 1);
  const ambiguous = others.filter((word) => !certain.includes(word));
  return [
    contains(longest),
    ...(certain.length > 0 ? [containsAll(certain)] : []),
    ...ambiguous.map(contains),
  ].join(' AND ');
}

/**
 * The SQL condition for the reference of a booking `b` that somebody typed, or the start of it;
 * null for any other text.
 */
export function bookingReferenceMatches(typed: string, bind: Bind): string | null {
  const range = referencesIn(typed);
  return range && `b.reference BETWEEN ${bind(range.first)} AND ${bind(range.last)}`;
}
