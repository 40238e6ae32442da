import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';
import { sellerInWords, type InvoiceParties } from '../../domain/invoice-parties.js';
import type { Words } from '../../domain/words/words.js';

export type Drawing = InstanceType<typeof PDFDocument>;

export const FONT = 'text';
export const BOLD = 'bold';

/**
 * The standard PDF fonts cover western Europe, and need no embedding: a tenth of the time and size. Other texts have fonts
 * for most European names.
 */
const STANDARD = /^[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
/** Files that the build puts beside this one (dev/bundles/). */
const fontFile = (name: string): string => fileURLToPath(new URL(`./${name}.ttf`, import.meta.url));

function registerFonts(drawing: Drawing, texts: unknown): void {
  const isStandard = STANDARD.test(JSON.stringify(texts));
  drawing.registerFont(FONT, isStandard ? 'Helvetica' : fontFile('DejaVuSans'));
  drawing.registerFont(BOLD, isStandard ? 'Helvetica-Bold' : fontFile('DejaVuSans-Bold'));
}

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 24;
/** The width of what stands before a fact; the longest is "Complementa la factura". */
const TERM = 100;
const INK = '#1b1f24';
const SOFT = '#5a6472';

/** The columns of a table of lines, in points. */
const COLUMNS = [
  { title: 'paper.description', x: 0, width: 230, align: 'left' },
  { title: 'paper.quantity', x: 235, width: 55, align: 'right' },
  { title: 'paper.unit_price', x: 295, width: 75, align: 'right' },
  { title: null, x: 375, width: 35, align: 'right' },
  { title: 'paper.net', x: 410, width: WIDTH - 410, align: 'right' },
] as const;

/** What a document has above its table. */
interface Head {
  words: Words;
  /** Of the file and its pages. */
  title: string;
  /** The heading; the title by default. */
  heading?: string;
  seller: InvoiceParties['seller'];
  created_at: Date;
  facts: [term: string, value: string][];
}

/** Line breaks are printed as spaces: a description of nothing else would be ten pages long. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** A document of one or more pages with its head; `content` draws the rest. `texts` has what it draws. */
export async function renderPaper(
  head: Head,
  texts: unknown,
  content: (document: Drawing) => void,
): Promise<Buffer> {
  const { words, title, seller, created_at } = head;
  // Loaded with the first document: most processes start without writing one.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    // No default font: reading one takes a tenth of the time of a document.
    font: '',
    info: { Title: title, Author: seller.name, CreationDate: created_at },
  });
  const chunks: Buffer[] = [];
  registerFonts(document, [{ ...head, words: null }, texts]);
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((done) => document.on('end', done));
  document.fillColor(INK);
  drawHead(document, head);
  content(document);
  drawFooter(document, words, title);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawHead(document: Drawing, { words, title, heading = title, seller, facts }: Head): void {
  document.font(BOLD, 18).text(seller.name, MARGIN, MARGIN, { width: WIDTH });
  const details = sellerInWords(words, seller);
  if (details) document.font(FONT, 9).fillColor(SOFT).text(details, { width: WIDTH });
  document.fillColor(INK).moveDown(2);
  document.font(BOLD, 14).text(heading);
  document.moveDown(0.5);
  for (const [term, value] of facts) {
    const { y } = document;
    document.font(FONT, 9).fillColor(SOFT).text(term, MARGIN, y, { width: TERM });
    document.fillColor(INK).text(value, MARGIN + TERM + 5, y, { width: WIDTH - TERM - 5 });
  }
  document.moveDown(1.5);
}

/**
 * Draws a row of the table, on the next page if it does not fit. The first cell takes the columns after it that are empty. The
 * standard fonts have no minus sign: it is drawn as an en dash.
 */
export function row(document: Drawing, texts: string[], font: string): void {
  const cells = texts.map((text) => text.replaceAll('−', '–'));
  document.font(font, 9);
  const next = COLUMNS[cells.findIndex((cell, i) => i > 0 && cell !== '')];
  const widths = COLUMNS.map(({ width }, i) => (i > 0 ? width : next ? next.x - 5 : WIDTH));
  const height = Math.max(...cells.map((cell, i) => document.heightOfString(cell, { width: widths[i]! })));
  if (document.y + height > BOTTOM) document.addPage();
  const { y } = document;
  for (const [i, cell] of cells.entries()) {
    const { x, align } = COLUMNS[i]!;
    document.text(cell, MARGIN + x, y, { width: widths[i]!, align });
  }
  document.y = y + height + 5;
}

/** Draws the titles of the columns. */
export function titles(document: Drawing, words: Words, tax: string): void {
  row(
    document,
    COLUMNS.map(({ title }) => (title ? words.say(title) : tax)),
    BOLD,
  );
  rule(document);
}

/** Draws a line across the page. */
export function rule(document: Drawing): void {
  const y = document.y - 2;
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#c9cec7')
    .stroke();
  document.y = y + 6;
}

function drawFooter(document: Drawing, words: Words, title: string): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    document.page.margins.bottom = 0;
    document
      .font(FONT, 8)
      .fillColor(SOFT)
      .text(words.say('paper.page', { title, page: page + 1, pages: count }), MARGIN, BOTTOM + 12, {
        width: WIDTH,
        align: 'center',
      });
  }
}
