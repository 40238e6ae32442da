/** Reading and writing CSV (RFC 4180). */
import { CsvError, parse, type Options } from 'csv-parse/sync';
import { ApiError } from '../../../domain/errors.js';

/** How much of a text is searched for a separator. */
const MAX_FIRST_LINE = 1_000;

const OPTIONS = {
  bom: true,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
} satisfies Options;

/**
 * What a spreadsheet would take for a formula is text there after an apostrophe. Also after a character at which
 * spreadsheets of some locales end a cell, and in the full-width forms that some read as the same.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r])/g;

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of a CSV file. */
export const csvLine = (cells: (string | number | null | undefined)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`;

/**
 * The first `limit` rows of a CSV text, or of cells copied from a spreadsheet. The first line tells the separator; empty
 * rows are skipped. Errors: 422 `validation_failed` on `csv` for quotes that do not match.
 */
export function parseCsv(text: string, limit: number): string[][] {
  const firstLine = text.slice(0, MAX_FIRST_LINE).split('\n', 1)[0]!;
  const delimiter = ['\t', ';', ','].find((each) => firstLine.includes(each)) ?? ',';
  const trim = delimiter !== '\t';
  try {
    const rows = parse(text, { ...OPTIONS, delimiter, trim, to: limit });
    return rows.map((row) => row.map((cell) => cell.trim()));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message = `Line ${error.lines}: the quotes around a cell do not match.`;
    throw new ApiError('validation_failed', message, { param: 'csv' });
  }
}
