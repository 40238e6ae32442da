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

/** A test that failed, or, without a title, a process that ended before its tests did. */
export interface Failure {
  title: string | null;
  details: string[];
}

/**
 * Runs a group of test files in one process: all of its tests, or those with the titles `only`. Adds those that pass to
 * the results, from AVA's TAP output, and returns those that failed.
 */
export async function runGroup(
  group: Group,
  env: Record<string, string | undefined>,
  results: Results,
  interrupted: Promise<void>,
  only: string[] = [],
): Promise<Failure[]> {
  if (group.files.length === 0) return [];
  const matches = only.map((title) => `--match=${title}`);
  const ava = spawn('node_modules/.bin/ava', ['--tap', ...matches, writeEntry(group)], {
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
  const failures: Failure[] = [];
  /** What AVA printed apart from the results of tests, for a process that ends without one that failed. */
  const rest: string[] = [];
  let failed: Failure | undefined;
  for await (const line of createInterface({ input: ava.stdout })) {
    const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      // Other failures are of the process: an error that no test caught, and its exit.
      const isTest = title.includes(' › ');
      failed = not ? { title: isTest ? title : null, details: isTest ? [] : [`    ${title}`] } : undefined;
      if (failed) failures.push(failed);
      else results.add(true, title);
    } else if (failed && line.startsWith('  ')) failed.details.push(`    ${line}`);
    else if (line !== '') rest.push(`      ${line}`);
  }
  const code = ava.exitCode ?? (await new Promise<number | null>((resolve) => ava.once('close', resolve)));
  if (code !== 0 && failures.length === 0) failures.push({ title: null, details: rest.slice(-30) });
  return failures;
}
