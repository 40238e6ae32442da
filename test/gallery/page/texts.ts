/** A rectangle in the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text node that people see, and the boxes of its lines. */
export interface SeenText {
  node: Text;
  element: Element;
  /** Its lines as laid out, also where an ancestor hides a part. */
  lines: Box[];
}

/** Content that is for screen readers or for nobody, and charts, whose table has the same values. */
const HIDDEN = 'script, style, noscript, template, option, svg, [hidden]';

/** Whether an element is reduced to a point, as text for screen readers is. */
const isReduced = (element: Element): boolean => {
  const { position, clipPath, clip, overflow } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  return (
    clipPath.startsWith('inset(50%') ||
    clip.startsWith('rect(0') ||
    (position === 'absolute' && overflow !== 'visible' && width <= 2 && height <= 2)
  );
};

export function* listAncestors(element: Element): Generator<Element> {
  for (let each: Element | null = element; each; each = each.parentElement) yield each;
}

const isShown = (element: Element): boolean =>
  !element.closest(HIDDEN) &&
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
  ![...listAncestors(element)].some(isReduced);

const hasArea = ({ width, height }: DOMRect): boolean => width > 0 && height > 0;

/** The boxes of a part of a text node, one for each line. */
export function measureLines(node: Text, from = 0, to = node.length): Box[] {
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return [...range.getClientRects()].filter(hasArea);
}

/** All texts that people see on the page. */
export function seenTexts(): SeenText[] {
  const texts: SeenText[] = [];
  const shown = new Map<Element, boolean>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const element = node.parentElement!;
    if (!node.data.trim()) continue;
    if (!shown.has(element)) shown.set(element, isShown(element));
    if (!shown.get(element)) continue;
    const lines = measureLines(node);
    if (lines.length > 0) texts.push({ node, element, lines });
  }
  return texts;
}

/** An element as a fault names it: its tag and first class, and the beginning of its text. */
export function describe(element: Element): string {
  const [first] = element.classList;
  const text = (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
  const name = element.tagName.toLowerCase() + (element.id ? `#${element.id}` : first ? `.${first}` : '');
  return `${name} "${text.slice(0, 50)}"`;
}

export const say = (text: SeenText): string => text.node.data.trim().replaceAll(/\s+/g, ' ').slice(0, 50);
