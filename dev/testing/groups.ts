import { needsOf } from './files.js';

/** Test files that share one process. */
export interface Group {
  name: string;
  files: string[];
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
  needBrowser: boolean;
}

const TESTS_AT_ONCE = { pure: 4, launcher: 2, stack: 8, outages: 1 };

/** The files of a folder share a process, as far as they need the same. What a file needs shows in what it imports. */
export function groupFiles(files: string[]): Groups {
  const groups: Groups = { pure: [], launcher: [], stack: [], outages: [], needBrowser: false };
  for (const file of files) {
    const needs = needsOf(file);
    const folder = file.split('/')[1]!;
    groups.needBrowser ||= needs.browser;
    if (folder === 'outages') add('outages', folder, file);
    else if (needs.stack) add('stack', folder, file);
    else if (needs.launcher) add('launcher', folder, file);
    else add('pure', folder, file);
  }
  return groups;

  function add(kind: keyof typeof TESTS_AT_ONCE, folder: string, file: string): void {
    const name = `${folder}-${kind}`;
    const group = groups[kind].find((each) => each.name === name);
    if (group) group.files.push(file);
    else groups[kind].push({ name, files: [file], testsAtOnce: TESTS_AT_ONCE[kind] });
  }
}
