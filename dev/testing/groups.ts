import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files that share one process. */
export interface Group {
  name: string;
  /** Uses the suite's stack, kills processes of another one, starts its own, or needs only its process. */
  kind: 'stack' | 'outages' | 'launcher' | 'pure';
  needsBrowser: boolean;
  files: string[];
}

const TESTS_AT_ONCE = { stack: 2, outages: 1, launcher: 2, pure: 3 };
/**
 * Folders whose tests mostly wait for holds, retries and restarts to end, with their number of concurrent
 * tests.
 */
const MOSTLY_WAIT: Record<string, number> = { scenarios: 5, 'worker-crashes': 4 };
/** Folders with their own groups. Files of other folders take little time and share a process. */
const OWN_GROUPS = [
  'api',
  'chaos',
  'dev',
  'domain',
  'gallery',
  'outages',
  'scenarios',
  'web',
  'worker-crashes',
];

/** All test files, such as `test/api/rooms/rooms.test.ts`. */
export const findTestFiles = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => join('test', file))
    .sort();

/**
 * Groups files by folder and needs. A file with serial tests is a separate group, because AVA would run no
 * other tests at the same time.
 */
export function groupFiles(files: string[]): Group[] {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const folder = file.split('/')[1]!;
    const reached = reachedFrom(file);
    const kind = groupKind(folder, reached);
    const needsBrowser = reached.has('test/support/chromium.ts');
    const shared = [OWN_GROUPS.includes(folder) ? folder : 'others', kind, needsBrowser && 'pages'];
    const name = isSerial(file) ? file : shared.filter(Boolean).join('-');
    const group = groups.get(name) ?? { name, kind, needsBrowser, files: [] };
    groups.set(name, group);
    group.files.push(file);
  }
  return [...groups.values()];
}

function groupKind(folder: string, reached: Set<string>): Group['kind'] {
  if (['outages', 'worker-crashes'].includes(folder)) return 'outages';
  if (reached.has('test/support/stack.ts')) return 'stack';
  return reached.has('test/support/launcher.ts') ? 'launcher' : 'pure';
}

const isSerial = (file: string): boolean => /\b(ava|test)\.serial\b/.test(readFileSync(file, 'utf8'));

/** The modules in test/ that a module there imports, directly or not, including itself. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path) || !path.startsWith('test/') || !existsSync(path)) return reached;
  reached.add(path);
  for (const [, to] of readFileSync(path, 'utf8').matchAll(
    /^(?:import (?!type )|export )[^;]*?from '(\.[^']+)\.js';$/gm,
  ))
    for (const kind of ['ts', 'tsx']) reachedFrom(`${join(dirname(path), to!)}.${kind}`, reached);
  return reached;
}

const built = (file: string): string => `build/${file.replace(/\.tsx?$/, '.js')}`;

/**
 * The file that AVA runs for a group. It imports the files of the group. AVA starts when the code that
 * declares the first test waits for something, so only test/support/stack.ts, which either all files of a
 * group import or none, may wait while it loads.
 */
export function writeEntryFile({ name, kind, files }: Group): string {
  if (name === files[0]) return built(name);
  mkdirSync('build/suites', { recursive: true });
  const entry = `build/suites/${name}.js`;
  const imports = files.map((file) => `import '../../${built(file)}';\n`).join('');
  const max = MOSTLY_WAIT[files[0]!.split('/')[1]!] ?? TESTS_AT_ONCE[kind];
  writeFileSync(
    entry,
    `import { limitTests } from '../test/support/ava-process.js';\n${imports}limitTests(${max});\n`,
  );
  return entry;
}
