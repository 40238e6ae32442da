import test from 'ava';
import { ApiError } from '../../domain/errors.js';
import { parseCsv } from '../../web/dashboard/shared/csv.js';
import { longestBlock } from '../support/longest-block.js';

/** What the import form accepts. */
const LENGTH = 240_000;
const LIMIT = 1_002;

const fill = (row: string): string => row.repeat(Math.floor(LENGTH / row.length));

const WORST = {
  'quotes in one cell': `email\n${'"'.repeat(LENGTH - 6)}`,
  'quoted cells in one row': `email\n${fill('"a",').slice(6)}`,
  'separators in one row': ','.repeat(LENGTH),
  'rows of many columns': fill(`email${','.repeat(99)}\n`),
  'rows of many empty cells': `email\n${fill(`${','.repeat(99)}\n`).slice(6)}`,
  'empty rows of few columns': fill(',,,,\n'),
  'spaces before a cell': `email\n${' '.repeat(LENGTH - 7)}x`,
  'empty rows': `email\n${'\n'.repeat(LENGTH - 6)}`,
  'long quoted rows': fill(`email,"${'""'.repeat(440)}"\n`),
  'long rows of four-byte characters': fill(`email,${'😀'.repeat(220)}\n`),
};

test.serial('no CSV file blocks the event loop for 100 ms', async (t) => {
  for (const [what, text] of Object.entries(WORST)) {
    t.true(text.length <= LENGTH);
    const block = await longestBlock(() =>
      parseCsv(text, LIMIT).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      }),
    );
    t.true(block < 100, `${block} ms: ${what}`);
  }
});

test('rows have at most 100 columns and 10,000 characters, and characters at the end of a part stay whole', async (t) => {
  const cells = (count: number): string => Array(count).fill('a').join();
  t.is((await parseCsv(cells(100), LIMIT))[0]!.cells.length, 100);
  await t.throwsAsync(parseCsv(cells(101), LIMIT), { message: 'A row has at most 100 columns.' });
  await t.throwsAsync(parseCsv(`email\n${'a'.repeat(11_000)}`, LIMIT), {
    message: 'Line 2: a row has at most 10000 characters.',
  });
  const row = ['e\u0301\u00e9', '😀'.repeat(100), 'x'];
  const rows = Array.from({ length: 100 }, () => row);
  const parsed = await parseCsv(rows.map((each) => each.join(',')).join('\n'), LIMIT);
  t.deepEqual(
    parsed.map((each) => each.cells),
    rows,
  );
});
