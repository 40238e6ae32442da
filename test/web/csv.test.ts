import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { DEFAULT_CSV_FORMAT, type CsvFormat } from '../../domain/csv-format.js';
import { answerColumns } from '../../web/dashboard/exports/answers.js';
import { csvLine, parseCsv } from '../../web/dashboard/shared/csv.js';
import { csvReply } from '../../web/dashboard/exports/stream.js';
import type { ApiContext } from '../../api/http/context.js';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { read, utils } from '@e965/xlsx';

const readCells = async (text: string, limit: number): Promise<string[][]> =>
  (await parseCsv(text, limit)).map(({ cells }) => cells);

test('cells are quoted, and a spreadsheet sees no cell as a formula', async (t) => {
  t.is(csvLine(['a,b', 'say "hi"', 'two\nlines', null, 12.5]), '"a,b","say ""hi""","two\nlines",,12.5\r\n');
  t.is(csvLine(['=1+1', '+44 20', '-2', '@x', -30]), "'=1+1,'+44 20,'-2,'@x,-30\r\n");
  t.is(
    csvLine(['\t=1', 'Ada;=1+1', 'a\n-1', '\uff1d1', 'x-y', 'a; b']),
    `'\t'=1,Ada;'=1+1,"a\n'-1",'\uff1d1,x-y,a; b\r\n`,
  );
  const amounts = [
    { amount_minor: -1_250, currency: 'GBP' },
    { amount_minor: 1_200, currency: 'JPY' },
  ];
  t.is(csvLine(amounts), '-12.50,1200\r\n', 'amounts have the digits of their currency');
  const rows = [
    ['email', 'name'],
    ['a@b.c', 'One, "two"\nthree'],
    ['d@e.f', ''],
  ];
  t.deepEqual(await readCells(rows.map((row) => csvLine(row)).join(''), 10), rows);
  t.deepEqual(await readCells('\ufeffemail\tname\n a@b.c \tX\n\n', 10), [
    ['email', 'name'],
    ['a@b.c', 'X'],
  ]);
  t.deepEqual(await readCells('email; name\r\n a@b.c ; "x; ""y"""\n;\r\nd@e.f;5" pipe;', 10), [
    ['email', 'name'],
    ['a@b.c', 'x; "y"'],
    ['d@e.f', '5" pipe', ''],
  ]);
  t.is((await parseCsv('email\n'.repeat(50), 10)).length, 10);
  await t.throwsAsync(parseCsv('email,name\na@b.c,"X\n', 10), {
    message: /^Line \d: the quotes around a cell/,
  });
});

test('a row has the number of the line on which it begins', async (t) => {
  const text = 'email,name\n\n\na@b.c,"One\ntwo"\n,\nd@e.f,X\n"\ng@h.i\n",Y';
  for (const csv of [text, text.replaceAll('\n', '\r\n')])
    t.deepEqual(
      (await parseCsv(csv, 10)).map(({ line, cells }) => [line, cells]),
      [
        [1, ['email', 'name']],
        [4, ['a@b.c', 'One\ntwo']],
        [7, ['d@e.f', 'X']],
        [8, ['g@h.i', 'Y']],
      ],
    );
});

test('100,000 rows are read page by page, and only as fast as the client reads', async (t) => {
  const ROWS = 100_000;
  let read = 0;
  const ctx = {
    state: { query: {}, membership: { csv: DEFAULT_CSV_FORMAT } },
  } as unknown as ApiContext;
  const { body } = csvReply<number>(ctx, 'numbers', {
    columns: ['Number'],
    read: async (after = 0, limit) => {
      const rows = Array.from({ length: Math.min(limit, ROWS - after) }, (_, index) => after + index + 1);
      read += rows.length;
      return rows;
    },
    cells: async (rows) => rows.map((row) => [row]),
  });
  const stream = (body as Readable)[Symbol.asyncIterator]();
  await stream.next();
  await stream.next();
  // Everything that can be read without the client has been read by then.
  await setImmediate();
  t.true(read <= 5_000, `${read} rows are read while the client has taken two pages`);
  let text = '';
  for (let page = await stream.next(); !page.done; page = await stream.next()) text += String(page.value);
  t.is(read, ROWS);
  t.true(text.endsWith('\r\n99999\r\n100000\r\n'));
});

test('files are written for the spreadsheets of a country', (t) => {
  const cells = ['a;b', 'a,b', { amount_minor: 1250, currency: 'EUR' }, 1.5, -3];
  const format = { separator: 'semicolon', decimal: 'comma' } as const;
  t.is(csvLine(cells, format), '"a;b";a,b;12,50;1,5;-3\r\n');
  t.is(csvLine(cells), 'a;b,"a,b",12.50,1.5,-3\r\n');
  t.is(csvLine(['x,=1+1', 'y'], format), "x,'=1+1;y\r\n", 'no formula where commas separate cells');
});

test('each question has a column: those of the page first, under their present labels, then those no longer asked', (t) => {
  const onPage = [
    { id: 'layout', label: 'Chairs' },
    { id: 'parking', label: 'Parking' },
  ];
  const answered = [
    { id: 'old', label: 'Room' },
    { id: 'layout', label: 'How should the chairs stand?' },
    { id: 'diet', label: 'Chairs' },
  ];
  const { columns, cells } = answerColumns(['Room', 'Notes'], onPage, answered);
  t.deepEqual(columns, ['Room', 'Notes', 'Chairs', 'Parking', 'Room (old)', 'Chairs (diet)']);
  t.deepEqual(
    cells([
      { id: 'diet', label: 'Chairs', value: '=1+1' },
      { id: 'parking', label: 'Car park?', value: true },
    ]),
    [undefined, 'Yes', undefined, '=1+1'],
  );
  t.is(csvLine(cells([{ id: 'diet', label: 'Chairs', value: '=1+1' }])), ",,,'=1+1\r\n");
  t.deepEqual(cells(null), [undefined, undefined, undefined, undefined]);
  t.deepEqual(answerColumns(['Room'], [], []).columns, ['Room']);
});

/**
 * What a spreadsheet program makes of the cells in a country's files: the numbers and days that it
 * recognises, all else as text.
 */
interface Spreadsheet {
  format: CsvFormat;
  number: RegExp;
  /** Days in addition to `2026-11-24`, which all recognise, such as `24.11.` and `24/11`. */
  day: RegExp;
}

const POINTS = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;
const COMMAS = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
const DAY_SLASH = /^\d{1,2}\/\d{1,2}(\/\d{2,4})?$/;
const DAY_POINT = /^(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])(\.|\.\d{2,4})?$/;
const SPREADSHEETS: Record<string, Spreadsheet> = {
  'Britain and the United States': {
    format: { separator: 'comma', decimal: 'point' },
    number: POINTS,
    day: DAY_SLASH,
  },
  'Germany and Austria': {
    format: { separator: 'semicolon', decimal: 'comma' },
    number: COMMAS,
    day: DAY_POINT,
  },
  'France and Spain': {
    format: { separator: 'semicolon', decimal: 'comma' },
    number: COMMAS,
    day: DAY_SLASH,
  },
  Switzerland: {
    format: { separator: 'semicolon', decimal: 'point' },
    number: /^-?(\d+|\d{1,3}(’\d{3})+)(\.\d+)?$/,
    day: DAY_POINT,
  },
};

/** The cells of a file as the program has them. A number wins over a day, as in Excel and LibreOffice. */
function openIn({ format, number, day }: Spreadsheet, text: string): (string | number | Date)[][] {
  const rows: string[][] = parse(text, {
    bom: true,
    delimiter: format.separator === 'semicolon' ? ';' : ',',
  });
  const [group, decimal] = format.decimal === 'comma' ? [/\./g, ','] : [/[,’]/g, '.'];
  return rows.map((row) =>
    row.map((cell) => {
      if (number.test(cell)) return Number(cell.replaceAll(group, '').replace(decimal, '.'));
      if (/^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/.test(cell))
        return new Date(`${cell.replace(' ', 'T')}Z`.replace(/^(.{10})Z$/, '$1'));
      return day.test(cell) ? new Date(NaN) : cell;
    }),
  );
}

const money = (amount_minor: number, currency: string) => ({ amount_minor, currency });
/**
 * Cells of exports: a document number, a day, a time, amounts, a number, and texts that look like something
 * else.
 */
const CELLS = [
  'HH-35',
  '2026-11-24',
  '2026-11-24 10:00',
  money(-1_205, 'GBP'),
  money(123_456_705, 'EUR'),
  1.5,
];
const EXACT = [money(1_200, 'JPY'), money(31_112, 'KWD'), money(0, 'EUR'), 'Łódź, Ada; "Bea"', '=1+1'];
const EXPECTED = [
  'HH-35',
  new Date('2026-11-24'),
  new Date('2026-11-24T10:00Z'),
  -12.05,
  1_234_567.05,
  1.5,
  1_200,
  31.112,
  0,
  'Łódź, Ada; "Bea"',
  "'=1+1",
];

for (const [country, spreadsheet] of Object.entries(SPREADSHEETS))
  test(`the spreadsheets of ${country} read amounts as numbers and days as days, and never one as the other`, (t) => {
    const text = `\uFEFF${csvLine([...CELLS, ...EXACT], spreadsheet.format)}`;
    t.deepEqual(openIn(spreadsheet, text), [EXPECTED]);
  });

test('amounts with decimal commas are quoted where commas separate cells', (t) => {
  const format = { separator: 'comma', decimal: 'comma' } as const;
  t.deepEqual(openIn({ format, number: COMMAS, day: DAY_SLASH }, csvLine([...CELLS, ...EXACT], format)), [
    EXPECTED,
  ]);
});

test('a spreadsheet library reads the types and values of a file as it is written by default', (t) => {
  const text = csvLine([...CELLS, ...EXACT]);
  const { Sheets, SheetNames } = read(text, { type: 'string', cellDates: true, UTC: true });
  const [row] = utils.sheet_to_json<unknown[]>(Sheets[SheetNames[0]!]!, { header: 1, UTC: true });
  t.deepEqual(row, EXPECTED);
});
