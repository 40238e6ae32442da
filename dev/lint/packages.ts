import { differences, edited, formatLocation, textsIn, unless, type Rule } from './rule.js';

const SERVICE = /^(activities|api|commands|contract|db|deploy|domain|ops|web|worker|workflows)\/.*\.tsx?$/;
/** An import of a package at run time; type imports don't count. */
const IMPORT = /^(?:import|export|\}) (?!type ).*?from '(?!node:)((?:@[^'/]+\/)?[^'./][^'/]*)[^']*';$/gm;

/** What `npm ci` may run and `npm ci --omit=dev` installs. */
export const packages: Rule = {
  name: 'packages',
  *check(tree) {
    const { dependencies, allowScripts } = JSON.parse(tree.read('package.json'));
    yield* unless(/^strict-allow-scripts=true$/m.test(tree.read('.npmrc')), '.npmrc: scripts are not strict');
    const lock: Record<string, { hasInstallScript?: boolean }> = JSON.parse(
      tree.read('package-lock.json'),
    ).packages;
    const scripted = Object.keys(lock).filter((path) => lock[path]!.hasInstallScript);
    yield* differences('package.json: allowScripts', Object.keys(allowScripts), [
      ...new Set(scripted.map((path) => path.replace(/.*node_modules\//, ''))),
    ]);
    for (const path of tree.paths(SERVICE))
      for (const { 1: name, index } of tree.read(path).matchAll(IMPORT))
        if (!Object.hasOwn(dependencies, name!))
          yield `${formatLocation(path, tree.read(path), index)}: ${name} is not one of the dependencies`;
  },
  refused: [
    ...textsIn('api/x.ts', ["import test from 'ava';", "import {\n  x,\n} from '@e965/xlsx/x';"]),
    edited('package.json', '"esbuild": true,', ''),
    { '.npmrc': '' },
  ],
  accepted: textsIn('api/x.ts', [
    "import type x from 'ava';\nimport y from 'koa';\nimport z from 'node:fs';",
  ]),
};

/** Files with secrets are neither committed nor part of the image. */
export const ignored: Rule = {
  name: 'ignored files',
  *check(tree) {
    for (const [file, patterns] of Object.entries({
      '.gitignore': ['.env', '.env.*', '.holdfast*/', '.certificates/'],
      '.dockerignore': ['.env', '.env.*', '.holdfast*', '.certificates'],
    }))
      for (const pattern of patterns)
        yield* unless(tree.read(file).split('\n').includes(pattern), `${file}: ${pattern} is missing`);
  },
  refused: [edited('.gitignore', '.env.*\n', ''), edited('.dockerignore', '.certificates\n', '')],
};
