import { listAncestors, say, type Box, type SeenText } from './texts.js';

/** Texts may touch by this many pixels. */
const TOLERANCE = 2;
/** The part of a line's box, from its middle, that its letters fill. */
const LETTERS = 0.35;

/**
 * What lies on the page on purpose. Text in one is compared with text in the others of its kind only.
 * Something that opens is above everything; `data-layer` names the kind of anything else, such as blocks of a
 * calendar.
 */
const OPENS = 'dialog[open], [popover], details[open] > .menu';
const LAYERS = `${OPENS}, [data-layer]`;

const nameLayer = (element: Element): string => {
  const layer = element.closest(LAYERS);
  if (layer) return layer.getAttribute('data-layer') ?? layer.tagName;
  for (const each of listAncestors(element))
    if (['fixed', 'sticky'].includes(getComputedStyle(each).position)) return 'stays in place';
  return '';
};

interface Line extends Box {
  text: SeenText;
  layer: string;
}

/** The part of a line that shows letters: lines of a heading may be closer than its font is high. */
function letters(text: SeenText, box: Box): Box {
  const middle = (box.top + box.bottom) / 2;
  const half = Number.parseFloat(getComputedStyle(text.element).fontSize) * LETTERS;
  return { left: box.left, right: box.right, top: middle - half, bottom: middle + half };
}

/** The part of a box that no ancestor of its text hides. */
function visiblePart(text: SeenText, box: Box): Box {
  const { left, top, right, bottom } = box;
  const seen = { left, top, right, bottom };
  for (const each of listAncestors(text.element)) {
    const { overflowX, overflowY } = getComputedStyle(each);
    const edges = each.getBoundingClientRect();
    if (each === document.body || each === document.documentElement) break;
    if (overflowX !== 'visible') {
      seen.left = Math.max(seen.left, edges.left);
      seen.right = Math.min(seen.right, edges.right);
    }
    if (overflowY !== 'visible') {
      seen.top = Math.max(seen.top, edges.top);
      seen.bottom = Math.min(seen.bottom, edges.bottom);
    }
  }
  return seen;
}

const areApart = (one: Element, other: Element): boolean => !one.contains(other) && !other.contains(one);

const overlap = (one: Line, other: Line): boolean =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > TOLERANCE &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > TOLERANCE &&
  one.layer === other.layer &&
  areApart(one.text.element, other.text.element);

/** Texts that lie on each other. */
export function findOverlaps(texts: readonly SeenText[]): string[] {
  const layers = new Map<Element, string>();
  const lines: Line[] = texts.flatMap((text) => {
    if (!layers.has(text.element)) layers.set(text.element, nameLayer(text.element));
    const layer = layers.get(text.element)!;
    return text.lines
      .map((box) => visiblePart(text, box))
      .filter(({ left, top, right, bottom }) => right > left && bottom > top)
      .map((box) => ({ ...letters(text, box), text, layer }));
  });
  lines.sort((one, other) => one.top - other.top);
  const found = new Set<string>();
  for (const [n, line] of lines.entries())
    for (let next = n + 1; next < lines.length && lines[next]!.top < line.bottom; next++)
      if (overlap(line, lines[next]!)) found.add(`${say(line.text)} and ${say(lines[next]!.text)} overlap`);
  return [...found];
}
