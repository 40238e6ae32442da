import { WORKFLOWS } from '../../contract/names.js';
import { listSettings } from '../../config/settings.js';
import { STEP_FAILS } from '../../web/dashboard/overview/failing-runs.js';
import { EXPLANATIONS } from '../../web/dashboard/shared/attention/explanations.js';
import { differences, edited, unless, type Rule, type Tree } from './rule.js';

const OPERATIONS = 'docs/operations.md';
const TEMPORAL = 'docs/temporal.md';

/** The rows of the tables under a heading, as cells. */
function tableRows(tree: Tree, document: string, heading: string): string[][] {
  const [, section = ''] = tree.read(document).split(`\n## ${heading}\n`);
  const lines = section.split('\n## ')[0]!.split('\n');
  return lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** Tables in documents have one row for each item in the code. */
export const tables: Rule = {
  name: 'tables of documents',
  *check(tree) {
    yield* differences(
      `${TEMPORAL}: workflows`,
      tableRows(tree, TEMPORAL, 'Workflows').flatMap(([names]) => namesIn(names!)),
      Object.values(WORKFLOWS),
    );
    const runbook = tree.read(OPERATIONS).split('\n## Runbook\n')[1]!;
    const [entries] = runbook.split('Steps in the current details of runs:');
    const titles = Object.entries(EXPLANATIONS).map(([kind, { what }]) => `${what} (\`${kind}\`)`);
    yield* differences(
      `${OPERATIONS}: “Needs attention” in the runbook`,
      [...entries!.matchAll(/^\| (.+?) \|/gm)].map(([, title]) => title!),
      ['Title', ...titles, STEP_FAILS],
    );
    const [header, ...threats] = tableRows(tree, 'SECURITY.md', 'Threats');
    yield* unless(header !== undefined && threats.length > 10, 'SECURITY.md: the threats are missing');
    for (const row of threats)
      yield* unless(
        /\]\((test\/[^)]+\.test|dev\/lint\/[^)]+)\.ts\)$/.test(row.at(-1)!),
        `${tree.at('SECURITY.md', row[0]!)}: a threat must list its tests`,
      );
  },
  refused: [
    edited(TEMPORAL, '\n| `booking` |', '\n| `cooking` |'),
    edited(OPERATIONS, '(`hold_not_ended`) |', '(`hold`) |'),
    edited('SECURITY.md', /\(test\/web\/run-links\S+\)/, '(nowhere)'),
  ],
};

/** Every setting is described with its default, wherever people look for it. */
export const settings: Rule = {
  name: 'described settings',
  *check(tree) {
    const known = listSettings();
    const example = tree.read('.env.example');
    const lines = example.matchAll(/^(# )?([A-Z0-9_]+)=(.*)$/gm);
    yield* differences(
      '.env.example',
      [...lines].map(([, optional, name, value]) => [name, optional === undefined, value || null]),
      known.map(({ name, required, default: value }) => [name, required, value || null]),
    );
    for (const paragraph of example.split('\n\n').filter((text) => /^(# )?[A-Z0-9_]+=/m.test(text)))
      yield* unless(/^# \w[^=]* /m.test(paragraph), `${tree.at('.env.example', paragraph)}: not described`);

    // A second table has the launcher's settings. Some are in both.
    const rows = tableRows(tree, OPERATIONS, 'Settings').flatMap(([names, value]) =>
      namesIn(names!).map((name): [string, boolean] => [name, value === 'required']),
    );
    const documented = new Map(rows.reverse());
    for (const { name, required } of known)
      yield* differences(`${OPERATIONS}: ${name} is required`, documented.get(name), required);
  },
  refused: [
    edited('.env.example', 'DATABASE_POOL_SIZE=20', 'DATABASE_POOL_SIZE=21'),
    edited(OPERATIONS, '| `PUBLIC_URL` | required |', '| `PUBLIC_URL` | |'),
  ],
};
