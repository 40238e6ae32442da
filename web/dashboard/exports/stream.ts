import { Readable } from 'node:stream';
import joi from 'joi';
import type { ApiContext } from '../../../api/http/context.js';
import type { Reply } from '../../../api/http/operation.js';
import { takeTurns } from '../../../api/http/turns.js';
import { CSV_DECIMALS, CSV_SEPARATORS, type CsvFormat } from '../../../domain/csv-format.js';
import { dayIn } from '../../../domain/cycle.js';
import type { Metadata } from '../../../domain/metadata.js';
import { wallClock } from '../../../domain/time-zone.js';
import type { ListQuery } from '../shared/list.js';
import { csvLine, type Cell } from '../shared/csv.js';

const ROWS_AT_ONCE = 1_000;

/** A list to be exported: its columns, and its rows page by page. */
export interface Export<Row> {
  columns: string[];
  /** The rows of a page, if they are not as small as usual. */
  pageSize?: number;
  /** The rows after the last one of the previous page, in the order of the list. */
  read(after: Row | undefined, limit: number): Promise<Row[]>;
  /** The lines of the rows of a page, as cells. */
  cells(rows: Row[]): Promise<Cell[][]>;
}

async function* writeLines<Row>(
  { columns, pageSize = ROWS_AT_ONCE, read, cells }: Export<Row>,
  format: CsvFormat,
): AsyncGenerator<string> {
  const toLine = (row: Cell[]): string => csvLine(row, format);
  // Spreadsheets read the file as UTF-8 because of the mark.
  yield `\uFEFF${toLine(columns)}`;
  const turn = takeTurns();
  let after: Row | undefined;
  do {
    const rows = await read(after, pageSize);
    if (rows.length > 0) yield (await cells(rows)).map(toLine).join('');
    after = rows.length === pageSize ? rows.at(-1) : undefined;
    await turn();
  } while (after);
}

/** The filter of a list, with a file format that overrides the workspace's. */
export const asFile = (query: joi.ObjectSchema): joi.ObjectSchema =>
  query.keys({ separator: joi.valid(...CSV_SEPARATORS), decimal: joi.valid(...CSV_DECIMALS) });

/**
 * The days that a file is of, for its name: `-2026-11` for a month, `-2026-11-01-to-2026-11-15`,
 * `-from-2026-11-01`, `-until-2026-11-15`.
 */
export function periodName({ from, to }: ListQuery): string {
  if (!from && !to) return '';
  if (!from) return `-until-${to}`;
  if (!to) return `-from-${from}`;
  const lastOfMonth = new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)), 0));
  const isMonth = from.endsWith('-01') && to === lastOfMonth.toISOString().slice(0, 10);
  if (isMonth) return `-${from.slice(0, 7)}`;
  return from === to ? `-${from}` : `-${from}-to-${to}`;
}

/**
 * Streams a list as CSV, in the format of the workspace or the address, with the filter's days in the file
 * name. Only one page is in memory; the next is read once the client has consumed it.
 */
export function csvReply<Row>(
  { state }: ApiContext,
  name: string,
  list: Export<Row>,
): Reply & { headers: Record<string, string> } {
  const { separator, decimal } = state.query as Partial<CsvFormat>;
  const { csv } = state.membership!;
  const format = { separator: separator ?? csv.separator, decimal: decimal ?? csv.decimal };
  const period = periodName(state.query as ListQuery);
  return {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}${period}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: Readable.from(writeLines(list, format), { highWaterMark: 1 }),
  };
}

/** A time in a zone as spreadsheets read it: `2026-11-24 10:00`. */
export const cellTime = (at: Date | null, timeZone: string): string | null =>
  at && new Date(wallClock(at.getTime(), timeZone)).toISOString().slice(0, 16).replace('T', ' ');

/** The metadata of an object as JSON; null without any. */
export const cellMetadata = (metadata: Metadata): string | null =>
  Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null;

/** The day of a time in a zone, as imports of bookkeeping programs read it: `2026-11-24`. */
export const cellDay = (at: Date | null, timeZone: string): string | null => at && dayIn(timeZone, at);
