import { needsOf } from './files.js';

/** Test files that share one process. */
export interface Group {
  name: string;
  files: string[];
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
/** Folders whose tests take little time share a process, which loads the service once for all of them. */
const SHARE_A_PROCESS = [
  'activities',
  'commands',
  'config',
  'db',
  'deploy',
  'fuzz',
  'ops',
  'worker',
  'workflows',
];
/** Folders whose pure tests compute. */
const COMPUTING = ['api', 'domain', 'web'];
/** Folders whose tests kill processes of the stack. Those of `worker-crashes` can run concurrently. */
const OUTAGES = ['outages', 'worker-crashes'];

/** Groups files by folder and needs. A group shares a process. */
export function groupFiles(files: string[]): Groups {
  const groups: Groups = { computing: [], pure: [], launcher: [], stack: [], outages: [] };
  const isFirst = (file: string): boolean => START_FIRST.includes(file);
  for (const file of files.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
    const needs = needsOf(file);
    const folder = file.split('/')[1]!;
    const kind = OUTAGES.includes(folder)
      ? 'outages'
      : needs.stack
        ? 'stack'
        : needs.launcher
          ? 'launcher'
          : COMPUTING.includes(folder)
            ? 'computing'
            : 'pure';
    const shared = SHARE_A_PROCESS.includes(folder) ? 'others' : folder;
    const name = [shared, kind, needs.browser && 'pages'].filter(Boolean).join('-');
    let group = groups[kind].find((each) => each.name === name);
    if (!group) {
      const testsAtOnce = MOSTLY_WAIT[folder] ?? TESTS_AT_ONCE[kind];
      groups[kind].push((group = { name, files: [], needsBrowser: needs.browser, testsAtOnce }));
    }
    group.files.push(file);
  }
  return groups;
}
