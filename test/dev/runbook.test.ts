import { readFileSync } from 'node:fs';
import test from 'ava';
import { EXPLANATIONS } from '../../web/dashboard/shared/attention/explanations.js';
import { STEP_FAILS } from '../../web/dashboard/overview/failing-runs.js';

test('each title under “Needs attention” has its entry in the runbook, and each entry its title', (t) => {
  const runbook = readFileSync('docs/operations.md', 'utf8').split('\n## Runbook\n')[1]!;
  const [entries] = runbook.split('Steps in the current details of runs:');
  const rows = [...entries!.matchAll(/^\| (.+?) \|/gm)].map(([, title]) => title!);
  const titles = Object.entries(EXPLANATIONS).map(([kind, { what }]) => `${what} (\`${kind}\`)`);
  t.deepEqual(rows.filter((row) => row !== 'Title').toSorted(), [...titles, STEP_FAILS].toSorted());
});
