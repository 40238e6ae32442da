const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * Returns how a word may be stored: `Mueller` for Müller, whose `search_text` contains `muller`, and the
 * reverse.
 */
function listSpellings(word: string): string[] {
  const composed = word.normalize('NFC').toLowerCase();
  const without = composed.replaceAll(/([aou])e/g, '$1');
  return [...new Set([composed, without, composed.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter]!)])];
}

/** Words that consist only of these characters are in every text. */
const NO_WORD = /^['‘’ʼ‐–—-]*$/;

/**
 * Splits a `q` into words for the SQL functions `…_contains`. These find texts with all of the words, in any
 * order, case and accents, with or without apostrophes and hyphens, and with umlauts in either spelling
 * (docs/rules/workspace.md#search). The first three values are the spellings of the longest word, which is
 * looked up in an index. Each other word follows, with one spelling per line. Words of one or two characters
 * match too, but cannot use the index. Null without any word.
 */
export function searchWords(q: string): (string | null)[] | null {
  const words = [...new Set(q.split(/\s+/).filter((word) => !NO_WORD.test(word)))];
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  const [first, second = null, third = null] = listSpellings(longest);
  return [first!, second, third, ...others.map((word) => listSpellings(word).join('\n'))];
}
