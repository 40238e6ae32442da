import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { listSettings } from '../../settings.js';
import { WORKFLOWS } from '../../contract/names.js';
import { anchorsOf, brokenCitations } from './citations.js';

/** Written by tools, or not part of the repository. */
const LEFT_OUT = /^(node_modules|build|\.git|\.holdfast[^/]*)$/;
/** Files that cite documents that do not exist, to test that these are found. */
const FIXTURES = new Set(['test/dev/documents.test.ts']);
/** Names documents of packages. */
const LOCK = 'package-lock.json';

/** All files of the repository by path, without files that are deleted meanwhile, such as scratch files. */
function readRepository(folder = '.'): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (LEFT_OUT.test(entry.name) || path === LOCK) continue;
    if (entry.isDirectory()) for (const [file, text] of readRepository(path)) files.set(file, text);
    else if (entry.isFile()) {
      try {
        files.set(path, readFileSync(path, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
  return files;
}

const check = (files: Record<string, string>) => brokenCitations(new Map(Object.entries(files)));

test('every document, heading and relative link that a file of the repository cites exists', (t) => {
  const files = readRepository();
  t.true(files.has('README.md') && files.has('docs/architecture.md'), 'the repository is read');
  t.deepEqual(brokenCitations(files, FIXTURES), []);
});

test("anchors of headings match GitHub's", (t) => {
  const markdown = [
    '# Holdfast',
    '## Late payments',
    '### `PATCH` and cancel, step by step!',
    '## Invites and sign-in links',
    '## A [link](https://example.com) in it ##',
    '```sh',
    '# a comment, no heading',
    '```',
    '#no heading either',
    '## Late payments',
    '## Zeitzonen für Köln',
  ].join('\n');
  t.deepEqual(anchorsOf(markdown), [
    'holdfast',
    'late-payments',
    'patch-and-cancel-step-by-step',
    'invites-and-sign-in-links',
    'a-link-in-it',
    'late-payments-1',
    'zeitzonen-für-köln',
  ]);
});

const RULES = '# Rooms\n\n## Slot grid\n';

test('valid citations are not reported', (t) => {
  const files = {
    'docs/rules/rooms.md': RULES,
    'docs/rules/api.md':
      'As in [rooms](rooms.md#slot-grid), [here](#api), [above](../architecture.md).\n# API\n',
    'docs/architecture.md': '[rules](rules/), [code](../domain/grid.ts), `docs/rules/rooms.md`',
    'domain/grid.ts':
      '/** The grid (docs/rules/rooms.md#slot-grid). */\n// see docs/rules/api.md.\nctx.md5 = 1;',
    'db/schema.sql': "-- docs/rules/rooms.md#rooms\nSELECT '[x](y)';",
    'README.md':
      '[site](https://example.com/spec.md), [docs](docs/architecture.md "The map"), `/docs` and *.md',
  };
  t.deepEqual(check(files), []);
});

test('a broken citation is reported with its file and line', (t) => {
  const cases: [file: string, text: string, fault: string][] = [
    ['domain/grid.ts', '// docs/rules/rooms.md#grid', ':1: docs/rules/rooms.md#grid: no such heading'],
    ['domain/grid.ts', '\n * (docs/rules/room.md#grid)', ':2: docs/rules/room.md#grid: no such file'],
    ['domain/grid.ts', 'const x = 1; // as spec.md says', ':1: spec.md: no such file'],
    ['api/page.tsx', '/** decisions.md, "Rooms" */', ':1: decisions.md: no such file'],
    ['dev/start.mjs', "throw new Error('see docs/rooms.md');", ':1: docs/rooms.md: no such file'],
    ['db/schema.sql', '-- design.md', ':1: design.md: no such file'],
    ['api/page.tsx', '// A link by mail (issue 7, point 4).', ':1: issue 7: not in the repository'],
    ['test/a.test.ts', "test('a lost response (case 22)');", ':1: (case 22): not in the repository'],
    ['README.md', 'See [rooms](docs/rooms.md).', ':1: docs/rooms.md: no such file'],
    ['README.md', 'See [rooms](docs/rules/rooms.md#grid).', ':1: docs/rules/rooms.md#grid: no such heading'],
    ['README.md', 'See [below](#nowhere).', ':1: #nowhere: no such heading'],
    ['README.md', 'See [code](domain/slots.ts).', ':1: domain/slots.ts: no such file'],
    ['README.md', '```sh\ncat real-xero.md\n```', ':2: real-xero.md: no such file'],
    ['docs/rules/api.md', '[rooms](docs/rules/rooms.md)', ':1: docs/rules/rooms.md: no such file'],
  ];
  for (const [file, text, fault] of cases) {
    t.deepEqual(check({ 'docs/rules/rooms.md': RULES, [file]: text }), [file + fault], text);
  }
});

test('an excepted file is not checked', (t) => {
  const files = new Map([['test/fixture.ts', '// spec.md']]);
  t.deepEqual(brokenCitations(files, new Set(['test/fixture.ts'])), []);
});

/** The rows of the tables under a heading, by cell. */
function tableRows(document: string, heading: string): string[][] {
  const [, section = ''] = readFileSync(document, 'utf8').split(`\n## ${heading}\n`);
  const lines = section.split('\n## ')[0]!.split('\n');
  return lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test('the settings table has every setting, and says which are required', (t) => {
  const rows = tableRows('docs/operations.md', 'Settings').flatMap(([names, value]) =>
    namesIn(names!).map((name): [string, boolean] => [name, value === 'required']),
  );
  // A second table has the launcher's settings; some are in both.
  const documented = new Map(rows.reverse());
  for (const { name, required } of listSettings()) t.is(documented.get(name), required, name);
});

test('the list of workflows is complete', (t) => {
  const documented = tableRows('docs/temporal.md', 'Workflows').flatMap(([names]) => namesIn(names!));
  t.deepEqual(documented.sort(), Object.values(WORKFLOWS).sort());
});

test('each threat names its tests', (t) => {
  const [, threats = ''] = /^## Threats\n([^]*?)^## /m.exec(readFileSync('SECURITY.md', 'utf8')) ?? [];
  const rows = threats.split('\n').filter((line) => line.startsWith('| '));
  t.true(rows.length > 10);
  for (const row of rows.slice(1)) t.regex(row, /\]\(test\/[^)]+\.test\.ts\) \|$/);
});
