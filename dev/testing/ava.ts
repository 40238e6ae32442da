import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Group } from './groups.js';
import type { Results } from './results.js';

/** Folder of the groups' entry files, which are test files to AVA. */
const ENTRIES = 'build/suites';

/** Writes the file that AVA runs, which loads those of the group. */
function writeEntry({ name, files }: Group): string {
  mkdirSync(ENTRIES, { recursive: true });
  const entry = `${ENTRIES}/${name}.js`;
  const list = JSON.stringify(files, null, 2);
  writeFileSync(
    entry,
    `import { loadFiles } from '../test/support/suite.js';\n\nawait loadFiles(${list});\n`,
  );
  return entry;
}

/** Runs a group of test files in one process, and counts from AVA's TAP output. A crash counts as a failure. */
export async function runGroup(
  group: Group,
  env: Record<string, string | undefined>,
  results: Results,
  interrupted: Promise<void>,
): Promise<void> {
  if (group.files.length === 0) return;
  const ava = spawn('node_modules/.bin/ava', ['--tap', writeEntry(group)], {
    env: {
      ...process.env,
      ...env,
      TESTS_AT_ONCE: String(group.testsAtOnce),
      TEST_TIMES: results.times,
      FORCE_COLOR: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  void interrupted.then(() => ava.kill('SIGTERM'));
  let failures = 0;
  /** What AVA printed apart from the results of tests, for a process that ends without one that failed. */
  const rest: string[] = [];
  let failed: { title: string; details: string[] } | undefined;
  const showFailed = (): void => {
    if (failed) results.add(false, failed.title, failed.details);
    failed = undefined;
  };
  for await (const line of createInterface({ input: ava.stdout })) {
    const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      showFailed();
      if (not) failures++;
      if (not) failed = { title, details: [] };
      else results.add(true, title);
    } else if (failed && line.startsWith('  ')) failed.details.push(`    ${line}`);
    else if (line !== '') rest.push(`      ${line}`);
  }
  showFailed();
  const code = ava.exitCode ?? (await new Promise<number | null>((resolve) => ava.once('close', resolve)));
  if (code !== 0 && failures === 0)
    results.add(false, `the tests of ${group.name} ended with exit code ${code}`, rest.slice(-30));
}
