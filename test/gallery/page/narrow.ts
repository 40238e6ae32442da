import { groupBy } from '../../../domain/group-by.js';
import { listAncestors, measureLines, describe, type SeenText } from './texts.js';

/** What is between spaces and hyphens. */
const WORD = /[^\s\-–—]+/g;
/** A word of this many letters fits in a column; a longer one, such as an address or an id, may be broken. */
const MAX_NORMAL = 14;
const MIN_CHARACTERS = 6;
const MIN_LINES = 3;
const IS_CODE = 'pre, code, textarea';

const isInline = (element: Element): boolean => getComputedStyle(element).display.startsWith('inline');

/** The box whose width breaks the lines of an element. */
const findBlock = (element: Element): Element =>
  [...listAncestors(element)].find((each) => !isInline(each)) ?? element;

const listTops = (boxes: readonly { top: number }[]): Set<number> =>
  new Set(boxes.map(({ top }) => Math.round(top)));

/** The words of normal length of a text that the end of a line divides. */
function brokenWords({ node, element, lines }: SeenText): string[] {
  if (listTops(lines).size < 2 || element.closest(IS_CODE)) return [];
  const words = [...node.data.matchAll(WORD)].filter(([word]) => word.length <= MAX_NORMAL);
  const isBroken = ({ 0: word, index }: RegExpExecArray): boolean =>
    listTops(measureLines(node, index, index + word.length)).size > 1;
  return words.filter(isBroken).map(([word]) => word);
}

/** Columns in which words are broken, or a line holds a few letters. */
export function findNarrowColumns(texts: readonly SeenText[]): string[] {
  const found = texts.flatMap((text) =>
    brokenWords(text).map((word) => `${word} is broken in ${describe(findBlock(text.element))}`),
  );
  const blocks = groupBy(
    texts.filter(({ element }) => !element.closest(IS_CODE)),
    ({ element }) => findBlock(element),
  );
  for (const [block, inIt] of blocks) {
    const lines = listTops(inIt.flatMap((text) => text.lines)).size;
    const characters = inIt.reduce((sum, { node }) => sum + node.data.trim().length, 0);
    // A line that the text itself ends is as long as it should be.
    const ended = block.querySelectorAll('br').length;
    if (ended === 0 && lines >= MIN_LINES && characters / lines < MIN_CHARACTERS)
      found.push(`${describe(block)} has ${lines} lines of ${Math.round(characters / lines)} letters`);
  }
  return found;
}
