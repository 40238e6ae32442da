/** Reading and writing CSV (RFC 4180). */

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

/** The rows of a CSV text, or of cells copied from a spreadsheet. The first line tells the separator. */
export function parseCsv(text: string): string[][] {
  const firstLine = text.split(/\r?\n/, 1)[0]!;
  const separator = ['\t', ';', ','].find((each) => firstLine.includes(each)) ?? ',';
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    rows.at(-1)!.push(cell.trim());
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (character === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (character === separator) endCell();
    else if (character === '\n') {
      endCell();
      rows.push([]);
    } else if (character !== '\r') cell += character;
  }
  endCell();
  return rows.filter((row) => row.some((each) => each !== ''));
}
