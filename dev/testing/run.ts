import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Group } from './groups.js';
import type { Results } from './results.js';

const AVA = [
  `--import=${pathToFileURL('dev/testing/ava-reporter.mjs').href}`,
  'node_modules/ava/entrypoints/cli.mjs',
];

/** Folder of the groups' entry files, which are test files to AVA. */
const ENTRIES = 'build/suites';

type Environment = Record<string, string | undefined>;

interface Failure {
  title: string;
  details: string[];
}

/** What has failed in a group. If its process ended before its tests were done, any of them. */
interface Failed {
  group: Group;
  env: Environment;
  failures: Failure[];
  hasEnded: boolean;
}

/**
 * Runs groups of tests, and what failed once more, one test at a time, when the others are done: a test that failed only
 * because the machine was busy then passes, and is named. One that fails twice has failed.
 */
export class Runner {
  #failed: Failed[] = [];

  constructor(
    private readonly results: Results,
    private readonly interrupted: Promise<void>,
  ) {}

  async run(group: Group, env: Environment = {}): Promise<void> {
    const failed = await this.#runOnce(group, env);
    if (failed.failures.length === 0) return;
    for (const { title, details } of failed.failures) this.results.note(title, details);
    this.#failed.push(failed);
  }

  /** True if something is to be repeated. */
  get hasFailures(): boolean {
    return this.#failed.length > 0;
  }

  /** Repeats what has failed since the last call. */
  async repeat(): Promise<void> {
    for (const { group, env, failures, hasEnded } of this.#failed.splice(0)) {
      const alone = { ...group, testsAtOnce: 1 };
      const again = await this.#runOnce(alone, env, hasEnded ? [] : failures.map(({ title }) => title));
      for (const { title, details } of again.failures) this.results.add(false, title, details);
    }
  }

  /** Runs a group: all of its tests, or those with the titles `only`. Adds those that pass to the results. */
  async #runOnce(group: Group, env: Environment, only: string[] = []): Promise<Failed> {
    const files = [...writeEntry(group), ...group.serialFiles.map(built)];
    const matches = only.map((title) => `--match=${title.split(' › ').at(-1)}`);
    const atOnce = `--concurrency=${group.testsAtOnce}`;
    const ava = spawn(process.execPath, [...AVA, '--tap', atOnce, ...matches, ...files], {
      env: { ...process.env, ...env, TEST_TIMES: this.results.times, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    void this.interrupted.then(() => ava.kill('SIGTERM'));
    const ended = new Promise<number | null>((resolve) => ava.once('close', resolve));
    const failures: Failure[] = [];
    /** What AVA printed apart from the results of tests, for a process that ends without one that failed. */
    const rest: string[] = [];
    let failure: Failure | undefined;
    let hasPlan = false;
    for await (const line of createInterface({ input: ava.stdout })) {
      const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
      if (title !== undefined) {
        failure = not ? { title, details: [] } : undefined;
        if (failure) failures.push(failure);
        else this.results.add(true, title);
      } else if (failure && line.startsWith('  ')) failure.details.push(`    ${line}`);
      else if (line !== '') rest.push(`      ${line}`);
      // The last thing that AVA prints.
      if (/^1\.\.\d+$/.test(line)) hasPlan = true;
    }
    // The exit of a process is a failure as well, in which AVA names the file.
    const hasEnded = !hasPlan || failures.some(({ title }) => files.some((file) => title.includes(file)));
    if ((await ended) === 0 || (failures.length > 0 && !hasEnded)) return { group, env, failures, hasEnded };
    const details = [
      ...failures.flatMap(({ title, details }) => [`    ${title}`, ...details]),
      ...rest.slice(-30),
    ];
    const title = `the tests of ${group.name} ended before they were done`;
    return { group, env, failures: [{ title, details }], hasEnded: true };
  }
}

/** The compiled file of a test file. */
const built = (file: string): string => `build/${file.replace(/\.ts$/, '.js')}`;

/**
 * Writes the file that AVA runs, which imports those of the group. AVA starts when the code that declares the first test
 * waits for something, so only `test/support/stack.ts`, which all files of a group import or none, may wait while it loads.
 */
function writeEntry({ name, files, testsAtOnce }: Group): string[] {
  if (files.length === 0) return [];
  mkdirSync(ENTRIES, { recursive: true });
  const entry = `${ENTRIES}/${name}.js`;
  const imports = files.map((file) => `import '../../${built(file)}';\n`).join('');
  const limit = `import { limitTests } from '../test/support/ava-process.js';\n${imports}\nlimitTests(${testsAtOnce});\n`;
  writeFileSync(entry, limit);
  return [entry];
}
