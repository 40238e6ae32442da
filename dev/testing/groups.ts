import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules whose import shows what a test file needs. */
const NEEDS = {
  /** Uses the service, at the addresses in HOLDFAST_DEV_JSON. */
  stack: 'test/support/stack.ts',
  /** Starts its own stacks. */
  launcher: 'test/support/launcher.ts',
  browser: 'test/support/chromium.ts',
};

/** Test files that share one process, and those with serial tests, which have their own. */
export interface Group {
  name: string;
  files: string[];
  serialFiles: string[];
  needsBrowser: boolean;
  /** Maximum number of concurrent tests. */
  testsAtOnce: number;
}

export interface Groups {
  /** Need only their own process, and neither wait nor have deadlines. */
  computing: Group[];
  /** Need only their own process. */
  pure: Group[];
  /** Start their own stacks. */
  launcher: Group[];
  /** Use the suite's stack without affecting others: these run concurrently. */
  stack: Group[];
  /** Kill processes of the suite's stack: nothing else that uses it may run at the same time. */
  outages: Group[];
}

const TESTS_AT_ONCE = { computing: 3, pure: 3, launcher: 2, stack: 3, outages: 1 };
/** Folders whose tests mostly wait, for the end of holds, retries and restarts, with their number of concurrent tests. */
const MOSTLY_WAIT: Record<string, number> = { scenarios: 6, 'worker-crashes': 6 };
/** Files that wait for minutes start first, so that they do not end long after the others. */
const START_FIRST = ['test/deploy/builds.test.ts', 'test/scenarios/restored-backup.test.ts'];
/** Folders with groups of their own. Files of the others take little time and share a process. */
const OWN_GROUPS = ['api', 'chaos', 'dev', 'domain', 'outages', 'scenarios', 'web', 'worker-crashes'];
/** Folders whose pure tests compute. */
const COMPUTING = ['api', 'domain', 'web'];
/** Folders whose tests kill processes of the stack. Those of `worker-crashes` can run concurrently. */
const OUTAGES = ['outages', 'worker-crashes'];

/** All test files, such as `test/api/rooms.test.ts`. */
export const findTestFiles = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .sort();

/** Groups files by folder and needs. A group shares a process. */
export function groupFiles(files: string[]): Groups {
  const groups: Groups = { computing: [], pure: [], launcher: [], stack: [], outages: [] };
  const isFirst = (file: string): boolean => START_FIRST.includes(file);
  for (const file of files.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
    const folder = file.split('/')[1]!;
    const reached = reachedFrom(file);
    const needsBrowser = reached.has(NEEDS.browser);
    const kind = kindOf(folder, reached);
    const shared = OWN_GROUPS.includes(folder) ? folder : 'others';
    const name = [shared, kind, needsBrowser && 'pages'].filter(Boolean).join('-');
    let group = groups[kind].find((each) => each.name === name);
    if (!group) {
      const testsAtOnce = MOSTLY_WAIT[folder] ?? TESTS_AT_ONCE[kind];
      groups[kind].push((group = { name, files: [], serialFiles: [], needsBrowser, testsAtOnce }));
    }
    (isSerial(file) ? group.serialFiles : group.files).push(file);
  }
  return groups;
}

function kindOf(folder: string, reached: Set<string>): keyof Groups {
  if (OUTAGES.includes(folder)) return 'outages';
  if (reached.has(NEEDS.stack)) return 'stack';
  if (reached.has(NEEDS.launcher)) return 'launcher';
  return COMPUTING.includes(folder) ? 'computing' : 'pure';
}

/** True if tests of a file run one at a time. In a shared process AVA would run none of the others beside them. */
const isSerial = (file: string): boolean => /\b(ava|test)\.serial\b/.test(readFileSync(file, 'utf8'));

/** The modules in test/ that a module there imports, directly or not, and itself. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const imported of importsOf(path)) reachedFrom(imported, reached);
  return reached;
}

const known = new Map<string, string[]>();

function importsOf(path: string): string[] {
  let imported = known.get(path);
  if (!imported) {
    const paths = readFileSync(path, 'utf8').matchAll(
      /^(?:import (?!type )|export )[^;]*?from '(\.[^']+)\.js';$/gm,
    );
    imported = [...paths]
      .map(([, to]) => `${join(dirname(path), to!)}.ts`)
      .filter((to) => to.startsWith('test/') && existsSync(to));
    known.set(path, imported);
  }
  return imported;
}
