import { WORKFLOWS } from '../../contract/names.js';
import { RETENTION_DAYS } from '../../domain/retention/retention.js';
import { STEP_FAILS } from '../../web/dashboard/overview/failing-runs.js';
import { EXPLANATIONS } from '../../web/dashboard/shared/attention/explanations.js';
import { differences, edited, unless, type Rule, type Tree } from './rule.js';

const RUNBOOK = 'docs/guides/runbook.md';
const SECURITY = 'docs/security.md';
const TEMPORAL = 'docs/internals/temporal.md';

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
    const entries = tableRows(tree, RUNBOOK, 'Needs attention');
    const titles = Object.entries(EXPLANATIONS).map(([kind, { what }]) => `${what} (\`${kind}\`)`);
    yield* differences(
      `${RUNBOOK}: “Needs attention”`,
      entries.map(([title]) => title!),
      ['Title', ...titles, STEP_FAILS],
    );
    const [header, ...threats] = tableRows(tree, SECURITY, 'Threats');
    const kept = tree.read(SECURITY).matchAll(/^\| `(\w+)` \| (\d+) days?/gm);
    yield* differences(
      `${SECURITY}: how long rows are kept`,
      [...kept].map(([, kind, days]) => [kind, Number(days)]),
      Object.entries(RETENTION_DAYS),
    );
    yield* unless(header !== undefined && threats.length > 10, `${SECURITY}: there are no threats`);
    for (const row of threats)
      yield* unless(
        /\]\(\.\.\/(test\/[^)]+\.test|dev\/lint\/[^)]+)\.ts\)$/.test(row.at(-1)!),
        `${tree.at(SECURITY, row[0]!)}: a threat names its tests`,
      );
  },
  refused: [
    edited(TEMPORAL, '\n| `booking` |', '\n| `cooking` |'),
    edited(RUNBOOK, '(`hold_not_ended`) |', '(`hold`) |'),
    edited(SECURITY, /^(\| `\w+` \| )\d+ days/m, '$15 days'),
    edited(SECURITY, /\(\.\.\/test\/web\/run-links\S+\)/, '(nowhere)'),
  ],
};
