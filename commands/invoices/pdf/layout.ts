import PDFDocument from 'pdfkit';
import { formatSeller, type InvoiceParties } from '../../../domain/invoices/parties.js';
import type { Words } from '../../../domain/words/words.js';
import { baseFont, hasInBase, type PdfFont } from './fonts.js';
import { isRightToLeft } from './script.js';
import { layOutLines, runWidth, type TextRun } from './text.js';

export interface Drawing {
  pdf: InstanceType<typeof PDFDocument>;
  /** True if its fonts are those that every PDF reader has, which are not embedded. */
  isStandard: boolean;
  time_zone: string;
}

export const FONT = 'text';
export const BOLD = 'bold';
export type FontName = typeof FONT | typeof BOLD;
const STANDARD_FONTS = { [FONT]: 'Helvetica', [BOLD]: 'Helvetica-Bold' };

/**
 * The standard PDF fonts cover western Europe and need no embedding, which takes a tenth of the time and
 * size.
 */
const STANDARD = /^[\n -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** The width of the outlines that make a regular weight bold, relative to the font size. */
const OUTLINE = 0.03;

/** Thrown if a text needs embedded fonts. */
class NotStandard extends Error {
  override readonly name = 'NotStandard';
}

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 24;
/** The width of the terms in front of values. The longest is "Complementa la factura". */
const TERM = 100;
const INK = '#1b1f24';
const SOFT = '#5a6472';

/** The columns of a table of lines, in points. */
const COLUMNS = [
  { title: 'documents.description', x: 0, width: 230, align: 'left' },
  { title: 'documents.quantity', x: 235, width: 55, align: 'right' },
  { title: 'documents.unit_price', x: 295, width: 75, align: 'right' },
  { title: null, x: 375, width: 35, align: 'right' },
  { title: 'documents.net', x: 410, width: WIDTH - 410, align: 'right' },
] as const;

/** The part of a document above its table. */
interface Head {
  words: Words;
  /** The title of the file and its pages, and the heading. */
  title: string;
  seller: InvoiceParties['seller'];
  created_at: Date;
  /** The time zone of times in the document. */
  time_zone: string;
  facts: [term: string, value: string][];
}

/**
 * Replaces line breaks with spaces: a description that consisted of line breaks only would be ten pages long.
 */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/**
 * Renders a document of one or more pages with its head; `content` draws the rest. It is drawn with the
 * standard fonts first, and again with embedded ones if a text needs them (docs/rules/billing.md#fonts).
 */
export async function renderPdf(head: Head, content: (drawing: Drawing) => void): Promise<Buffer> {
  try {
    return await drawPdf(head, true, content);
  } catch (error) {
    if (error instanceof NotStandard) return await drawPdf(head, false, content);
    throw error;
  }
}

async function drawPdf(
  head: Head,
  isStandard: boolean,
  content: (drawing: Drawing) => void,
): Promise<Buffer> {
  const { words, title, seller, created_at, time_zone } = head;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    // No default font, because reading one takes a tenth of the time of a document.
    font: '',
    info: { Title: title, Author: seller.name, CreationDate: created_at },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((done) => pdf.on('end', done));
  const drawing = { pdf, isStandard, time_zone };
  drawHead(drawing, head);
  content(drawing);
  drawFooter(drawing, words, title);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

interface TextOptions {
  font: FontName;
  /** In points. */
  size: number;
  colour?: string;
  width: number;
  align?: 'left' | 'right' | 'center';
}

/**
 * A text that has been laid out: its height, and the height of its first line above the baseline, in points,
 * and a function that draws it.
 */
interface Laid {
  height: number;
  ascent: number;
  draw: (x: number, y: number) => void;
}

/** Lays out a text. Errors: `NotStandard`. */
function lay({ pdf, isStandard, time_zone }: Drawing, given: string, options: TextOptions): Laid {
  const { font, size, colour = INK, width, align = 'left' } = options;
  const text = printable(given);
  const isBold = font === BOLD;
  if (isStandard && !STANDARD.test(text)) throw new NotStandard();
  const useBase = () =>
    isStandard ? pdf.font(STANDARD_FONTS[font], size) : useFont(pdf, baseFont(isBold), size);
  if (isStandard || (hasInBase(text, isBold) && !isRightToLeft(text)))
    return {
      // Only embedded fonts have different ascents.
      ascent: isStandard ? 0 : measureRuns([], isBold, size).ascent,
      height: useBase().heightOfString(text, { width }),
      draw: (x, y) => useBase().fillColor(colour).text(text, x, y, { width, align }),
    };
  const lines = text
    .split('\n')
    .flatMap((paragraph) => layOutLines(paragraph, width, { isBold, size, timeZone: time_zone }));
  const measured = lines.map((line) => ({ line, ...measureRuns(line.runs, isBold, size) }));
  return {
    ascent: measured[0]!.ascent,
    height: measured.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0),
    draw: (x, y) => {
      pdf
        .fillColor(colour)
        .strokeColor(colour)
        .lineWidth(size * OUTLINE);
      let top = y;
      for (const { line, ascent, descent, widths } of measured) {
        if (top + ascent + descent > pdf.page.maxY()) {
          pdf.addPage();
          top = MARGIN;
        }
        const free = width - widths.reduce((sum, each) => sum + each, 0);
        let left = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0);
        for (const [i, run] of line.runs.entries()) {
          const isOutlined = isBold && run.font.isOutlined;
          useFont(pdf, run.font, size).text(run.text, left, top + ascent, {
            lineBreak: false,
            baseline: 'alphabetic',
            // If features are given, even an empty list, a run is shaped as a whole and not word by word.
            features: [],
            ...(isOutlined && { fill: true, stroke: true }),
          });
          left += widths[i]!;
        }
        top += ascent + descent;
      }
      useBase();
      pdf.x = x;
      pdf.y = top;
    },
  };
}

function useFont(pdf: Drawing['pdf'], { name, font }: PdfFont, size: number): Drawing['pdf'] {
  // Open fonts can be passed directly, which the types do not include.
  return pdf.registerFont(name, font as never).font(name, size);
}

/** Returns the height of a line above and below its baseline, and the widths of its runs, in points. */
function measureRuns(runs: TextRun[], isBold: boolean, size: number) {
  const fonts = [baseFont(isBold), ...runs.map(({ font }) => font)];
  const highest = (of: 'ascent' | 'descent', sign: 1 | -1): number =>
    Math.max(...fonts.map(({ font }) => ((sign * font[of]) / font.unitsPerEm) * size));
  return {
    ascent: highest('ascent', 1),
    descent: highest('descent', -1),
    widths: runs.map((run) => runWidth(run, size)),
  };
}

/**
 * Returns a text with `\n` as line break and without control characters. A minus sign becomes an en dash,
 * because the standard fonts lack it.
 */
const printable = (text: string): string =>
  text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replaceAll('−', '–');

/** Draws a text below the previous one. */
const write = (drawing: Drawing, text: string, options: TextOptions): void =>
  lay(drawing, text, options).draw(MARGIN, drawing.pdf.y);

/** Returns how far down a text begins so that its first line is on the same baseline as the others. */
const baselineDrop = (laid: Laid[], { ascent }: Laid): number =>
  Math.max(...laid.map((each) => each.ascent)) - ascent;

const heightBeside = (laid: Laid[]): number =>
  Math.max(...laid.map((each) => baselineDrop(laid, each) + each.height));

/** Draws texts next to each other, each at an `x` from the margin. */
function drawBeside({ pdf }: Drawing, laid: Laid[], xs: number[]): void {
  const { y } = pdf;
  for (const [i, each] of laid.entries()) each.draw(MARGIN + xs[i]!, y + baselineDrop(laid, each));
}

function drawHead(drawing: Drawing, { words, title, seller, facts }: Head): void {
  const { pdf } = drawing;
  pdf.y = MARGIN;
  write(drawing, seller.name, { font: BOLD, size: 18, width: WIDTH });
  const details = formatSeller(words, seller);
  if (details) write(drawing, details, { font: FONT, size: 9, colour: SOFT, width: WIDTH });
  pdf.moveDown(2);
  write(drawing, title, { font: BOLD, size: 14, width: WIDTH });
  pdf.moveDown(0.5);
  for (const [term, value] of facts) {
    const laid = [
      lay(drawing, term, { font: FONT, size: 9, colour: SOFT, width: TERM }),
      lay(drawing, value, { font: FONT, size: 9, width: WIDTH - TERM - 5 }),
    ];
    drawBeside(drawing, laid, [0, TERM + 5]);
  }
  pdf.moveDown(1.5);
}

/**
 * Draws a row of the table, on the next page if it does not fit. The first cell extends over the empty
 * columns after it.
 */
export function row(drawing: Drawing, cells: string[], font: FontName): void {
  const { pdf } = drawing;
  const next = COLUMNS[cells.findIndex((cell, i) => i > 0 && cell !== '')];
  const laid = cells.map((cell, i) => {
    const { width, align } = COLUMNS[i]!;
    return lay(drawing, cell, { font, size: 9, width: i > 0 ? width : next ? next.x - 5 : WIDTH, align });
  });
  const height = heightBeside(laid);
  if (pdf.y + height > BOTTOM) pdf.addPage();
  const { y } = pdf;
  drawBeside(
    drawing,
    laid,
    COLUMNS.map(({ x }) => x),
  );
  pdf.y = y + height + 5;
}

/** Draws the titles of the columns. */
export function titles(drawing: Drawing, words: Words, tax: string): void {
  row(
    drawing,
    COLUMNS.map(({ title }) => (title ? words.say(title) : tax)),
    BOLD,
  );
  rule(drawing);
}

/** Draws a line across the page. */
export function rule({ pdf }: Drawing): void {
  const y = pdf.y - 2;
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#c9cec7')
    .stroke();
  pdf.y = y + 6;
}

function drawFooter(drawing: Drawing, words: Words, title: string): void {
  const { pdf } = drawing;
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    pdf.page.margins.bottom = 0;
    const text = words.say('documents.page', { title, page: page + 1, pages: count });
    lay(drawing, text, { font: FONT, size: 8, colour: SOFT, width: WIDTH, align: 'center' }).draw(
      MARGIN,
      BOTTOM + 12,
    );
  }
}
