/** Reading and writing CSV (RFC 4180). */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse, type Options } from 'csv-parse';
import { DEFAULT_CSV_FORMAT, type CsvFormat } from '../../../domain/csv-format.js';
import type { Money } from '../../../domain/money.js';
import { amountInput } from './money-field.js';
import { ApiError } from '../../../domain/errors.js';

/** How many characters are searched for the separator. */
const MAX_FIRST_LINE = 1_000;
/** The most columns and characters of a row, far more than any list of people or bookings needs. */
const MAX_COLUMNS = 100;
const MAX_ROW = 10_000;
/** The parser takes 1 to 3 µs per byte. */
const PART_BYTES = 4_096;

const OPTIONS = {
  bom: true,
  info: true,
  record_delimiter: '\n',
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options;

/**
 * An apostrophe keeps spreadsheets from evaluating a formula, also after characters that end a cell in some
 * locales, and in full-width forms. Where commas separate cells, those in a cell are quoted.
 */
const FORMULA: Record<CsvFormat['separator'], RegExp> = {
  comma: /(?<=^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/g,
  semicolon: /(?<=^|[,;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/g,
};

/** A cell; an amount is written with all digits of its currency: `12.50`. */
export type Cell = string | number | Money | null | undefined;

function formatCell(value: Cell, { decimal, separator }: CsvFormat): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? amountInput(value) : String(value);
  if (typeof value !== 'string') return decimal === 'comma' ? text.replace('.', ',') : text;
  return text.replaceAll(FORMULA[separator], "'");
}

/** One line of a CSV file. */
export function csvLine(cells: Cell[], format: CsvFormat = DEFAULT_CSV_FORMAT): string {
  const separator = format.separator === 'semicolon' ? ';' : ',';
  const quoted = (text: string): string =>
    /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  return `${cells.map((cell) => quoted(formatCell(cell, format))).join(separator)}\r\n`;
}

const invalid = (message: string): ApiError => new ApiError('validation_failed', message, { param: 'csv' });

const tooWide = (): ApiError => invalid(`A row has at most ${MAX_COLUMNS} columns.`);

/** Refuses a text with more separators than rows of the most columns have, before any of it is parsed. */
function assertFewColumns(text: string, delimiter: string, limit: number): void {
  let separators = 0;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1))
    if (++separators > limit * MAX_COLUMNS) throw tooWide();
}

/**
 * Splits a text into parts that take a few milliseconds each to parse, so that other requests are served in
 * between.
 */
async function* splitText(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES);
    await setImmediate();
  }
}

/** A row of the parser. `lines`: the number of the line on which it ends. */
interface ParsedRow {
  record: string[];
  info: { lines: number };
}

/** A row of a CSV text, and the line on which it begins, from 1. */
export interface CsvRow {
  cells: string[];
  line: number;
}

/**
 * The first `limit` rows of a CSV text, or of cells copied from a spreadsheet. The first line tells the
 * separator; empty rows are skipped. Errors: 422 `validation_failed` on `csv` for quotes that do not match,
 * and for a row that is too long.
 */
export async function parseCsv(csv: string, limit: number): Promise<CsvRow[]> {
  // The parser counts CRLF in a quoted cell as two lines.
  const text = csv.replaceAll('\r\n', '\n');
  const firstLine = text.slice(0, MAX_FIRST_LINE).split('\n', 1)[0]!;
  const delimiter = ['\t', ';', ','].find((each) => firstLine.includes(each)) ?? ',';
  assertFewColumns(text, delimiter, limit);
  const options = { ...OPTIONS, delimiter, trim: delimiter !== '\t', max_record_size: MAX_ROW };
  const rows: CsvRow[] = [];
  try {
    const parsed = Readable.from(splitText(text)).pipe(parse(options)) as AsyncIterable<ParsedRow>;
    for await (const { record, info } of parsed) {
      if (record.length > MAX_COLUMNS) throw tooWide();
      const breaks = record.join('').split('\n').length - 1;
      rows.push({ cells: record.map((cell) => cell.trim()), line: info.lines - breaks });
      if (rows.length === limit) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw invalid(`Line ${error.lines}: a row has at most ${MAX_ROW} characters.`);
    throw invalid(`Line ${error.lines}: the quotes around a cell do not match.`);
  }
  return rows;
}
