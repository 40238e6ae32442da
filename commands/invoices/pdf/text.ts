import bidiFactory, { type Bidi } from 'bidi-js';
import { fontFinder, type PdfFont } from './fonts.js';
import { clustersIn, isRightToLeft } from './script.js';

/**
 * Lays out text in any script, as lines of runs that are drawn from left to right. Each run has one font and
 * one direction. Directions follow the Unicode Bidirectional Algorithm (UAX #9), and the first letter of each
 * paragraph decides its direction.
 */

/** The package exports a function, which its types describe as a module. */
const bidi = (bidiFactory as unknown as () => Bidi)();
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** Drawn in place of a character that no font has. */
const UNKNOWN = '\ufffd';
const LETTER = /\p{L}/u;
const ARABIC = /\p{Script=Arabic}/u;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;

/** What readers see as one character: its position in the paragraph, and how it is drawn. */
interface Cluster {
  start: number;
  end: number;
  drawn: string;
  font: PdfFont;
  /** Odd numbers: from right to left. */
  level: number;
  /** Null for characters that are not letters of any script. */
  isArabic: boolean | null;
}

/** A part of a line with one font and one direction. Its text is in reading order, if it has letters. */
export type TextRun = Pick<Cluster, 'font' | 'level' | 'isArabic'> & { text: string };

/** A line: its text, and its runs from left to right. */
export interface TextLine {
  text: string;
  runs: TextRun[];
}

export interface TextStyle {
  isBold: boolean;
  /** In points. */
  size: number;
  /** The document's time zone. */
  timeZone: string;
}

/** Returns the width of a run in points, with all glyphs of its font in place. */
export function runWidth({ text, font: { font } }: TextRun, size: number): number {
  return (font.layout(text).advanceWidth / font.unitsPerEm) * size;
}

/** Lays out a paragraph in lines of at most `width` points. A single character may be wider. */
export function layOutLines(paragraph: string, width: number, style: TextStyle): TextLine[] {
  const clusters = buildClusters(paragraph, style);
  const widths = new Map<string, number>();
  const measure = (from: number, to: number): number => {
    const text = paragraph.slice(clusters[from]?.start, clusters[to - 1]?.end);
    const known = widths.get(text);
    if (known !== undefined) return known;
    const sum = joinRuns(clusters.slice(from, to)).reduce(
      (total, run) => total + runWidth(run, style.size),
      0,
    );
    widths.set(text, sum);
    return sum;
  };
  const isSpace = (at: number): boolean => /^\s+$/.test(clusters[at]!.drawn);
  const lines: TextLine[] = [];
  let start = 0;
  let used = 0;
  const endLine = (to: number): void => {
    let end = to;
    while (end > start && isSpace(end - 1)) end--;
    const text = paragraph.slice(clusters[start]?.start ?? 0, clusters[end - 1]?.end ?? 0);
    lines.push({ text: end > start ? text : '', runs: inVisualOrder(joinRuns(clusters.slice(start, end))) });
    start = to;
    used = 0;
  };
  /** Adds clusters to the line, which ends before them if they do not fit. */
  const add = (from: number, to: number): void => {
    let end = to;
    while (end > from && isSpace(end - 1)) end--;
    const needed = measure(from, end);
    if (used + needed > width && from > start) endLine(from);
    if (needed > width && end - from > 1) for (let at = from; at < to; at++) add(at, at + 1);
    else used += measure(from, to);
  };
  let from = 0;
  for (const to of findLineBreaks(paragraph, clusters)) {
    add(from, to);
    from = to;
  }
  endLine(clusters.length);
  return lines;
}

/**
 * Returns the clusters of a paragraph. Mirrored characters, such as brackets, are replaced by their
 * counterparts if they run from right to left.
 */
function buildClusters(paragraph: string, { isBold, timeZone }: TextStyle): Cluster[] {
  const { levels } = bidi.getEmbeddingLevels(paragraph, 'auto');
  const find = fontFinder(paragraph, isBold, timeZone);
  const unknown = find(UNKNOWN)!;
  let end = 0;
  return clustersIn(paragraph).map((cluster) => {
    const start = end;
    end += cluster.length;
    const level = levels[start]!;
    const font = find(cluster);
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(cluster) : null;
    return {
      start,
      end,
      drawn: font ? (mirrored ?? cluster) : UNKNOWN,
      font: font ?? unknown,
      level,
      isArabic: LETTER.test(cluster) ? ARABIC.test(cluster) : null,
    };
  });
}

/**
 * Returns the clusters before which a line may end, and the end: after spaces, and between words of scripts
 * without spaces.
 */
function findLineBreaks(paragraph: string, clusters: Cluster[]): number[] {
  const starts = new Map(clusters.map(({ start }, i) => [start, i]));
  const breaks: number[] = [];
  let before = '';
  for (const { segment, index, isWordLike } of words.segment(paragraph)) {
    const mayBreak =
      /\s$/.test(before) ||
      (isWordLike &&
        !OPENING.test(before) &&
        (UNSPACED.test(before.slice(-1)) || UNSPACED.test(segment[0]!)));
    const at = starts.get(index);
    if (at && mayBreak && !/^\s/.test(segment)) breaks.push(at);
    before = segment;
  }
  return [...breaks, clusters.length];
}

/** Joins clusters with the same font and direction. Arabic is shaped separately from other scripts. */
function joinRuns(clusters: Cluster[]): TextRun[] {
  const runs: TextRun[] = [];
  for (const { drawn, font, level, isArabic } of clusters) {
    const last = runs.at(-1);
    const isSameScript = isArabic === null || (last?.isArabic ?? isArabic) === isArabic;
    if (last?.font === font && last.level === level && isSameScript) {
      last.text += drawn;
      last.isArabic ??= isArabic;
    } else runs.push({ text: drawn, font, level, isArabic });
  }
  // The font itself reverses runs with letters that are written from right to left, and no other runs.
  return runs.map((run) =>
    run.level % 2 === 1 && !isRightToLeft(run.text) ? { ...run, text: reversed(run.text) } : run,
  );
}

const reversed = (text: string): string => clustersIn(text).toReversed().join('');

/** Reverses all runs from the highest level to the lowest odd one (UAX #9, L2). */
function inVisualOrder(runs: TextRun[]): TextRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end++;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return ordered;
}
