import { needsOf } from './files.js';

/** Test files that share one process. */
export interface Group {
  name: string;
  files: string[];
  needsBrowser: boolean;
  /** How many of its tests run at a time. */
  testsAtOnce: number;
}

export interface Groups {
  /** Need nothing but their own process. */
  pure: Group[];
  /** Start stacks of their own. */
  launcher: Group[];
  /** Use the suite's stack, and leave it as it is: these run side by side. */
  stack: Group[];
  /** Kill processes of the suite's stack: nothing else that uses it may run meanwhile. */
  outages: Group[];
}

const TESTS_AT_ONCE = { pure: 3, launcher: 2, stack: 3, outages: 1 };
/** Folders whose tests mostly wait: for holds to end, for retries, for restarted processes. */
const MOSTLY_WAIT: Record<string, number> = { scenarios: 8, 'worker-crashes': 8 };
/** Folders whose tests kill processes of the stack. Those of `worker-crashes` survive each other's. */
const OUTAGES = ['outages', 'worker-crashes'];

/** Files of one folder with the same needs share a process. What a file needs shows in what it imports. */
export function groupFiles(files: string[]): Groups {
  const groups: Groups = { pure: [], launcher: [], stack: [], outages: [] };
  for (const file of files) {
    const needs = needsOf(file);
    const folder = file.split('/')[1]!;
    const kind = OUTAGES.includes(folder)
      ? 'outages'
      : needs.stack
        ? 'stack'
        : needs.launcher
          ? 'launcher'
          : 'pure';
    const name = [folder, kind, needs.browser && 'pages'].filter(Boolean).join('-');
    let group = groups[kind].find((each) => each.name === name);
    if (!group) {
      const testsAtOnce = MOSTLY_WAIT[folder] ?? TESTS_AT_ONCE[kind];
      groups[kind].push((group = { name, files: [], needsBrowser: needs.browser, testsAtOnce }));
    }
    group.files.push(file);
  }
  return groups;
}
