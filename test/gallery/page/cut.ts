import { listAncestors, describe, say, type Box, type SeenText } from './texts.js';

/** Fractions of pixels, and glyphs that lean out of their box. */
const TOLERANCE = 2;
/** Text in these scrolls inside its box, and the page's other text does not depend on it. */
const SCROLLS = 'pre, textarea, code, [data-scrolls]';

const paddingBox = (element: Element): Box => {
  const { left, top } = element.getBoundingClientRect();
  const x = left + element.clientLeft;
  const y = top + element.clientTop;
  return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
};

const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

const isInline = ({ display }: CSSStyleDeclaration): boolean =>
  display === 'inline' || display === 'contents';

/** The whole text of an element that shortens it, for people who point at it. */
const hasTitle = (element: Element): boolean => element.closest('[title]') !== null;

/** How far a line is outside of a box to the left or right, and above or below. */
const outside = (line: Box, box: Box): { x: number; y: number } => ({
  x: Math.max(box.left - line.left, line.right - box.right),
  y: Math.max(box.top - line.top, line.bottom - box.bottom),
});

/** A line's letters are lower than its box by about a third of their size. */
const isFarBelow = (line: Box, y: number): boolean => y > (line.bottom - line.top) / 3;

/** What is wrong with where a text is: an ancestor cuts it, or it is outside of its own box. */
function findFault(text: SeenText): string | null {
  if (text.element.closest(SCROLLS)) return null;
  let inOwnBox = false;
  for (const box of listAncestors(text.element)) {
    const style = getComputedStyle(box);
    if (isInline(style)) continue;
    const edges = paddingBox(box);
    const out = text.lines.map((line) => outside(line, edges));
    const x = out.some((each) => each.x > TOLERANCE);
    const y = out.some((each, n) => isFarBelow(text.lines[n]!, each.y));
    if ((hides(style.overflowX) && x) || (hides(style.overflowY) && y))
      return hasTitle(text.element) ? null : `${say(text)} is cut by ${describe(box)}`;
    if (scrolls(style.overflowX) && x)
      // What something costs must be seen without a search for it.
      return /[£€$]\s?\d/.test(text.node.data) ? `${say(text)} is hidden in ${describe(box)}` : null;
    if (scrolls(style.overflowY)) return null;
    if (!inOwnBox && style.display !== 'table-row' && (x || y))
      return `${say(text)} is outside of ${describe(box)}`;
    inOwnBox = true;
    if (style.position === 'fixed') return null;
  }
  return null;
}

/** Text that is cut, or that is outside of the box that it is in. */
export const findCutText = (texts: readonly SeenText[]): string[] =>
  texts.map(findFault).filter((fault) => fault !== null);

/** Values of form fields that people choose from, and that are wider than the field. */
export function findCutChoices(): string[] {
  const measure = document.createElement('canvas').getContext('2d')!;
  return [...document.querySelectorAll('select')].flatMap((select) => {
    if (!select.checkVisibility() || select.multiple) return [];
    const style = getComputedStyle(select);
    measure.font = style.font;
    const text = select.selectedOptions[0]?.textContent?.trim() ?? '';
    const room =
      select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const overlong = measure.measureText(text).width > room + TOLERANCE;
    return overlong && room < window.innerWidth / 3 ? [`${text.slice(0, 50)} is cut in its field`] : [];
  });
}
