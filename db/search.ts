const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * How a word may be stored: `Mueller` as Müller, of which a `search_text` has `muller`,
 * and `Müller` as Mueller.
 */
function listSpellings(word: string): string[] {
  const composed = word.normalize('NFC').toLowerCase();
  const without = composed.replaceAll(/([aou])e/g, '$1');
  return [...new Set([composed, without, composed.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter]!)])];
}

/** Words of these characters only are in every text. */
const NO_WORD = /^['‘’ʼ‐–—-]*$/;

/**
 * The words of a `q` for the SQL functions `…_contains`, which find texts with all of them, in any order,
 * case and accents, with or without apostrophes and hyphens, and with umlauts or as they are written without
 * them (docs/rules/workspace.md#search): three places for the spellings of the longest one, which is looked
 * up in an index, and then each of the others, with its spellings on a line each. Words of one or two
 * characters match too, but cannot use the index. Null without any word.
 */
export function searchWords(q: string): (string | null)[] | null {
  const words = [...new Set(q.split(/\s+/).filter((word) => !NO_WORD.test(word)))];
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  const [first, second = null, third = null] = listSpellings(longest);
  return [first!, second, third, ...others.map((word) => listSpellings(word).join('\n'))];
}
