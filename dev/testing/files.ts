import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules whose import shows what a test file needs. */
const STACK = 'test/support/stack.ts';
const LAUNCHER = 'test/support/launcher.ts';
const BROWSER = 'test/support/chromium.ts';

/** All test files, such as `test/api/rooms.test.ts`. */
export function findTestFiles(): string[] {
  const inside = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return inside
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .sort();
}

export interface Needs {
  /** Uses the service, at the addresses in HOLDFAST_DEV_JSON. */
  stack: boolean;
  /** Starts its own stacks. */
  launcher: boolean;
  browser: boolean;
}

/** What a test file needs, determined from its imports and those of its helpers in test/. */
export function needsOf(file: string): Needs {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const imported of importsOf(path)) visit(imported);
  };
  visit(file);
  return { stack: reached.has(STACK), launcher: reached.has(LAUNCHER), browser: reached.has(BROWSER) };
}

const known = new Map<string, string[]>();

/** The modules in test/ that a module there imports, including type imports. */
function importsOf(path: string): string[] {
  let imported = known.get(path);
  if (!imported) {
    const paths = readFileSync(path, 'utf8').matchAll(/^(?:import|export|\}) .*?from '(\.[^']+)\.js';$/gm);
    imported = [...paths]
      .map(([, to]) => `${join(dirname(path), to!)}.ts`)
      .filter((to) => to.startsWith('test/') && existsSync(to));
    known.set(path, imported);
  }
  return imported;
}
