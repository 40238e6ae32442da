import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The modules that say by their import what a test file needs. */
const STACK = 'test/support/stack.ts';
const LAUNCHER = 'test/support/launcher.ts';
const BROWSER = 'test/support/chromium.ts';

/** All test files, named as in `test/api/rooms.test.ts`. */
export function findTestFiles(): string[] {
  const inside = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return inside
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .sort();
}

export interface Needs {
  /** The service, at the addresses that HOLDFAST_DEV_JSON names. */
  stack: boolean;
  /** Starts stacks of its own. */
  launcher: boolean;
  browser: boolean;
}

/** What a test file needs, read off what it and its helpers in test/ import. */
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

/** The modules in test/ that a module there imports, for their types or more. */
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
